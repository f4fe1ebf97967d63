from sender import place_order
