package mockapns;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, texts, numbers, truth values and null: what the admin API needs, and no library. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        var reader = new Json(text);
        var value = reader.value();
        reader.blanks();
        if (reader.at < text.length()) throw reader.fault("the end");
        return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(String text) {
        return (Map<String, Object>) read(text);
    }

    static String write(Object value) {
        var text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(Object value, StringBuilder to) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            to.append(value);
        } else if (value instanceof Map<?, ?> map) {
            var comma = "{";
            for (var member : map.entrySet()) {
                to.append(comma);
                quote(member.getKey().toString(), to);
                to.append(':');
                write(member.getValue(), to);
                comma = ",";
            }
            to.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> list) {
            to.append('[');
            var comma = "";
            for (var item : list) {
                to.append(comma);
                write(item, to);
                comma = ",";
            }
            to.append(']');
        } else {
            quote(value.toString(), to);
        }
    }

    private static void quote(String text, StringBuilder to) {
        to.append('"');
        for (var character : text.toCharArray()) {
            if (character == '"' || character == '\\') {
                to.append('\\').append(character);
            } else if (character < ' ') {
                to.append(String.format("\\u%04x", (int) character));
            } else {
                to.append(character);
            }
        }
        to.append('"');
    }

    private IllegalArgumentException fault(String expected) {
        return new IllegalArgumentException("expected " + expected + " at character " + at + " of the JSON");
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private boolean skip(char wanted) {
        blanks();
        if (at >= text.length() || text.charAt(at) != wanted) return false;
        at++;
        return true;
    }

    private Object value() {
        if (skip('{')) return members();
        if (skip('[')) return items();
        if (skip('"')) return string();
        var begin = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
        var word = text.substring(begin, at);
        switch (word) {
            case "true": return true;
            case "false": return false;
            case "null": return null;
            default:
        }
        try {
            if (word.matches("-?\\d{1,18}")) return Long.valueOf(word);
            return Double.valueOf(word);
        } catch (NumberFormatException error) {
            throw fault("a value");
        }
    }

    private Map<String, Object> members() {
        var map = new LinkedHashMap<String, Object>();
        if (skip('}')) return map;
        do {
            if (!skip('"')) throw fault("a name");
            var name = string();
            if (!skip(':')) throw fault("a colon");
            map.put(name, value());
        } while (skip(','));
        if (!skip('}')) throw fault("the end of an object");
        return map;
    }

    private List<Object> items() {
        var list = new ArrayList<Object>();
        if (skip(']')) return list;
        do {
            list.add(value());
        } while (skip(','));
        if (!skip(']')) throw fault("the end of an array");
        return list;
    }

    private String string() {
        var result = new StringBuilder();
        while (at < text.length()) {
            var character = text.charAt(at++);
            if (character == '"') return result.toString();
            if (character != '\\') {
                result.append(character);
                continue;
            }
            if (at >= text.length()) break;
            var escaped = text.charAt(at++);
            var place = "bfnrt".indexOf(escaped);
            if (escaped == 'u' && at + 4 <= text.length()) {
                result.append((char) Integer.parseInt(text, at, at + 4, 16));
                at += 4;
            } else {
                result.append(place < 0 ? escaped : "\b\f\n\r\t".charAt(place));
            }
        }
        throw fault("the end of a text");
    }
}
