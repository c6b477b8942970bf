"""An authorization server of Authlib for tokens that clients sign (RFC 7523), with a resource.

Arguments: the port, and the file of the client's public key. The variable SKEW is by how many seconds its clock is ahead.
"""
import os, sys, time
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
skew, now = float(os.environ.get("SKEW", "0")), time.time
time.time = lambda: now() + skew
from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc6749 import ClientMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7523 import JWTBearerClientAssertion, JWTBearerGrant
from flask import Flask, jsonify

port, key = int(sys.argv[1]), open(sys.argv[2]).read()
address = f"http://127.0.0.1:{port}"
app = Flask(__name__)
tokens = {}


class Client(ClientMixin):
    client_id = "signer"

    def get_client_id(self): return self.client_id
    def get_allowed_scope(self, scope): return scope or ""
    def check_endpoint_auth_method(self, method, endpoint): return method in ("client_assertion_jwt", "none")
    def check_grant_type(self, grant): return True


class User:
    def __init__(self, name): self.name = name
    def get_user_id(self): return self.name


class Token(dict):
    def get_scope(self): return self.get("scope", "")
    def is_expired(self): return self["end"] < time.time()
    def is_revoked(self): return False


class Grant(JWTBearerGrant):
    def get_audiences(self): return [f"{address}/token"]
    def resolve_issuer_client(self, issuer): return Client() if issuer == Client.client_id else None
    def resolve_client_key(self, client, headers, payload): return key
    def authenticate_user(self, subject): return User(subject)
    def has_granted_permission(self, client, user): return True


class Credentials(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_assertion_jwt"]


class Assertion(JWTBearerClientAssertion):
    used = set()

    def get_audiences(self): return [f"{address}/token"]

    def validate_jti(self, claims, jti):
        return jti not in self.used and not self.used.add(jti)

    def resolve_client_public_key(self, client, headers): return key


class Validator(BearerTokenValidator):
    def authenticate_token(self, token): return tokens.get(token)


def save(token, request):
    user = request.user and request.user.name
    tokens[token["access_token"]] = Token(
        token, client=request.client.client_id, user=user, end=time.time() + token["expires_in"])


server = AuthorizationServer(app, query_client=lambda name: Client() if name == Client.client_id else None, save_token=save)
server.register_client_auth_method("client_assertion_jwt", Assertion())
server.register_grant(Grant)
server.register_grant(Credentials)
protected = ResourceProtector()
protected.register_token_validator(Validator())


@app.post("/token")
def token():
    return server.create_token_response()


@app.get("/me")
@protected()
def me():
    return jsonify({name: current_token.get(name) for name in ("client", "user", "scope")})


app.run(port=port, threaded=True)
