KEY=k9-Zq81-hunter
# Signs in as ann, with password=hunter2-Zk7q9v
curl http://ann:hunter2-Zk7q9v@api.example/login?token=tok-5521-abcdef -H "X-Callback: https://cb:hunter2-Zk7q9v@cb.example/"
wget --header 'Authorization: token tok-5521-abcdef' http://api.example/other
curl http://api.example/items -H "X-Api-Key: $KEY" -H 'Content-Type: text/plain' -d 'name=ann&password=hunter2-Zk7q9v'
curl http://api.example/notes -H "Authorization: Bearer ${TOKEN:-tok-5521-abcdef}" --tlsuser ann --tlspassword pw-771-xyz -d @note.txt
