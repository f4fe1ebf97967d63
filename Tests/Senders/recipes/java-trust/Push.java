import java.net.URI;
import java.net.http.*;

public class Push {
    public static void main(String[] arguments) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:2197/")).build();
        System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).version());
    }
}
