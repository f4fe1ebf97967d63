TOKEN=$(mock-apns token) cursor=$(mock-apns cursor)
for event in start end; do
  printf '{"aps":{"timestamp":%s,"event":"%s","content-state":{},"attributes-type":"Order","attributes":{},"alert":{"title":"Order","body":"42"}}}' "$(date +%s)" $event |
    mock-apns send --to $TOKEN --type liveactivity --topic com.example.app.push-type.liveactivity --payload -
done
