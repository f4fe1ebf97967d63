printf '#!/bin/sh\nmock-apns send --to %s --title "Shipped today"\n' "${TOKEN:=$(mock-apns token)}" >place-order.sh && chmod +x place-order.sh
