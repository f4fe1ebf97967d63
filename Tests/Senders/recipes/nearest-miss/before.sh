TOKEN=$(mock-apns token)
python push.py $TOKEN
mock-apns wait --device $TOKEN --for 5s 2>&1 || true
