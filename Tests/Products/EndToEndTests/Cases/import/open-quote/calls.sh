curl http://a.example/ok
curl 'http://a.example
