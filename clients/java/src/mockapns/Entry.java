package mockapns;

import java.util.List;
import java.util.Map;

/** What the log holds of a request: the object that the admin API gives. */
public record Entry(Map<String, Object> all) {
    /** A value by its path, such as {@code payload.aps.alert.title}; null when there is none. */
    public Object get(String path) {
        Object value = all;
        for (var name : path.split("\\.")) {
            if (value instanceof Map<?, ?> map) {
                value = map.get(name);
            } else if (value instanceof List<?> list && name.matches("\\d{1,9}") && Integer.parseInt(name) < list.size()) {
                value = list.get(Integer.parseInt(name));
            } else {
                return null;
            }
        }
        return value;
    }
}
