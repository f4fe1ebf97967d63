// mock-apns exec -- dotnet test      xunit; UNTESTED: there is no .NET where this project is built
using System.Net;
using System.Net.Http.Json;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Xunit;

public class OrderTest
{
    static string Env(string name) => Environment.GetEnvironmentVariable("MOCK_APNS_" + name)!;
    static readonly HttpClient Admin = new() { BaseAddress = new Uri(Env("ADMIN")), DefaultRequestHeaders = { { "accept", "text/plain" } } };
    static readonly HttpClient Apns = new(new SocketsHttpHandler { SslOptions = { CertificateChainPolicy = new X509ChainPolicy {
        TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck,
        CustomTrustStore = { X509Certificate2.CreateFromPem(File.ReadAllText(Env("CA_FILE"))) } } } });

    // Your sender; a library such as dotAPNS takes MOCK_APNS_URL and an HttpClient like this one.
    static async Task<HttpStatusCode> Push(string device, object payload)
    {
        static string Part(byte[] bytes) => Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');
        using var key = ECDsa.Create();
        key.ImportFromPem(File.ReadAllText(Env("KEY_FILE")));
        var text = Part(JsonSerializer.SerializeToUtf8Bytes(new { alg = "ES256", kid = Env("KEY_ID") })) + "."
            + Part(JsonSerializer.SerializeToUtf8Bytes(new { iss = Env("TEAM_ID"), iat = DateTimeOffset.UtcNow.ToUnixTimeSeconds() }));
        var token = text + "." + Part(key.SignData(Encoding.UTF8.GetBytes(text), HashAlgorithmName.SHA256));
        using var request = new HttpRequestMessage(HttpMethod.Post, $"{Env("URL")}/3/device/{device}") { Version = HttpVersion.Version20,
            Content = JsonContent.Create(payload), Headers = { { "authorization", "bearer " + token }, { "apns-topic", "com.example.app" } } };
        return (await Apns.SendAsync(request)).StatusCode;
    }

    [Fact]
    public async Task TheCustomerIsTold()
    {
        var device = string.Concat(Enumerable.Repeat("ab", 32));
        Assert.Equal(HttpStatusCode.OK, await Push(device, new { aps = new { alert = new { title = "Shipped" } } }));
        var answer = await Admin.GetAsync($"/v1/notifications?device={device}&aps.alert.title=Ship*&exactly=1&wait=5s");
        Assert.True(answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync()); // The failure text is the server's.
    }
}
