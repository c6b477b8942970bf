import http from 'k6/http';
