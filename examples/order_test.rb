# mock-apns exec -- ruby order_test.rb      Ruby's own libraries only; HTTP/1.1 in clear text, since they have no HTTP/2
require "base64"
require "json"
require "minitest/autorun"
require "net/http"
require "openssl"

# Your sender; a library such as apnotic takes MOCK_APNS_URL and MOCK_APNS_CA_FILE. One token for all pushes, as APNs wants it.
TOKEN = begin
  part = ->(value) { Base64.urlsafe_encode64(value, padding: false) }
  claims = { iss: ENV.fetch("MOCK_APNS_TEAM_ID"), iat: Time.now.to_i }.to_json
  text = "#{part[{ alg: "ES256", kid: ENV.fetch("MOCK_APNS_KEY_ID") }.to_json]}.#{part[claims]}"
  "#{text}.#{part[OpenSSL::PKey.read(File.read(ENV.fetch("MOCK_APNS_KEY_FILE"))).sign("SHA256", text)]}" # As DER, which APNs takes as well.
end

def push(device, payload)
  Net::HTTP.post(URI("#{ENV.fetch("MOCK_APNS_HTTP1_URL")}/3/device/#{device}"), payload.to_json,
    "authorization" => "bearer #{TOKEN}", "apns-topic" => "com.example.app", "apns-push-type" => "alert")
end

class OrderTest < Minitest::Test
  ADMIN = URI(ENV.fetch("MOCK_APNS_ADMIN"))

  def expect(query) # The failure text is the server's.
    answer = Net::HTTP.get_response(ADMIN + "/v1/notifications?#{URI.encode_www_form(query)}", "accept" => "text/plain")
    assert_equal "200", answer.code, answer.body
  end

  def test_the_customer_is_told
    device = "ab" * 32
    assert_equal "200", push(device, aps: { alert: { title: "Shipped" } }).code
    expect(device: device, "aps.alert.title": "Ship*", exactly: 1, wait: "5s")
  end

  def test_gone
    Net::HTTP.post(ADMIN + "/v1/fail-next", { reason: "Unregistered" }.to_json, "content-type" => "application/json")
    assert_equal "410", push("cd" * 32, aps: { alert: "Shipped" }).code
    expect(device: "cd" * 32, exactly: 0, wait: "100ms")
  end
end
