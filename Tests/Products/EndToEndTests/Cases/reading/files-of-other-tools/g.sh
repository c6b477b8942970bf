curl http://a.example
