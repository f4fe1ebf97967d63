# mock-apns exec -- elixir order_test.exs      Erlang's own libraries only; HTTP/1.1 in clear text, since they have no HTTP/2
ExUnit.start()
{:ok, _} = Application.ensure_all_started(:inets)

defmodule OrderTest do
  use ExUnit.Case

  # One token for all pushes: APNs lets a connection change it only every 20 minutes.
  setup_all do
    part = &Base.url_encode64(&1, padding: false)
    claims = ~s({"iss":"#{System.fetch_env!("MOCK_APNS_TEAM_ID")}","iat":#{System.os_time(:second)}})
    text = part.(~s({"alg":"ES256","kid":"#{System.fetch_env!("MOCK_APNS_KEY_ID")}"})) <> "." <> part.(claims)
    [entry] = :public_key.pem_decode(File.read!(System.fetch_env!("MOCK_APNS_KEY_FILE")))
    %{token: text <> "." <> part.(:public_key.sign(text, :sha256, :public_key.pem_entry_decode(entry)))} # As DER, which APNs takes as well.
  end

  # Your sender; a library such as pigeon is pointed here by MOCK_APNS_HOST, MOCK_APNS_PORT and MOCK_APNS_CA_FILE.
  defp push(token, device, payload) do
    fields = [{'authorization', 'bearer #{token}'}, {'apns-topic', 'com.example.app'}, {'apns-push-type', 'alert'}]
    url = '#{System.fetch_env!("MOCK_APNS_HTTP1_URL")}/3/device/#{device}'
    {:ok, {{_, status, _}, _, _}} = :httpc.request(:post, {url, fields, 'application/json', payload}, [], [])
    status
  end

  defp expect(query) do # The failure text is the server's.
    url = '#{System.fetch_env!("MOCK_APNS_ADMIN")}/v1/notifications?#{URI.encode_query(query)}'
    {:ok, {{_, status, _}, _, text}} = :httpc.request(:get, {url, [{'accept', 'text/plain'}]}, [], [])
    assert status == 200, to_string(text)
  end

  test "the customer is told", %{token: token} do
    assert push(token, String.duplicate("ab", 32), ~s({"aps":{"alert":{"title":"Shipped"}}})) == 200
    expect(%{"device" => String.duplicate("ab", 32), "aps.alert.title" => "Ship*", "exactly" => 1, "wait" => "5s"})
  end

  test "gone", %{token: token} do
    :httpc.request(:post, {'#{System.fetch_env!("MOCK_APNS_ADMIN")}/v1/fail-next', [], 'application/json', ~s({"reason":"Unregistered"})}, [], [])
    assert push(token, String.duplicate("cd", 32), ~s({"aps":{"alert":"Shipped"}})) == 410
  end
end
