"""An authorization server of django-oauth-toolkit, with a resource; serves the port of its argument until it is ended.

Clients: `basic`, `post` and `owner` (with secrets), `public` and `device`. User: ann, with the password "pass wörd". The
environment variable EXPIRES is how long tokens last.
"""
import os, sys, tempfile
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
import django
from django.conf import settings
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
folder = tempfile.mkdtemp()
key = rsa.generate_private_key(65537, 2048).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
settings.configure(
    DEBUG=False, SECRET_KEY="only for tests", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", LOGIN_URL="/login/",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{folder}/db", "OPTIONS": {"timeout": 30}}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages", "oauth2_provider"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
                "OPTIONS": {"context_processors": ["django.template.context_processors.request", "django.contrib.auth.context_processors.auth"]}}],
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True, "OIDC_RSA_PRIVATE_KEY": key, "PKCE_REQUIRED": True, "SCOPES": {"read": "r", "write": "w", "openid": "o"},
        "ACCESS_TOKEN_EXPIRE_SECONDS": int(os.environ.get("EXPIRES", "3600")), "DEVICE_FLOW_INTERVAL": 1,
        "OAUTH_DEVICE_VERIFICATION_URI": "http://127.0.0.1:%s/o/device/" % sys.argv[1],
        "ALLOWED_SCHEMES": ["http", "https"], "REQUEST_APPROVAL_PROMPT": "force",
    })
django.setup()
from django.contrib.auth import get_user_model, login
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import include, path
from oauth2_provider.models import AccessToken, Application
from oauth2_provider.urls import metadata_urlpatterns

call_command("migrate", verbosity=0)
User = get_user_model()
ann = User.objects.create_user("ann", password="pass wörd")


def sign_in(request):
    """A login page as sites have one, with a form that a browser fills in."""
    if request.method == "POST":
        if request.POST.get("password") != "pass wörd":
            return HttpResponse("no", status=403)
        login(request, ann, backend="django.contrib.auth.backends.ModelBackend")
        return HttpResponseRedirect(request.GET["next"])
    return HttpResponse("<form method=post><input name=password type=password><button id=go>go</button></form>")


def me(request):
    """The token's user; 401 as RFC 6750 wants it, where the decorators of the toolkit say 403."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    access = AccessToken.objects.filter(token=token).first()
    if access is None or not access.is_valid():
        return HttpResponse(status=401, headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})
    return JsonResponse({"user": access.user and access.user.username, "scope": access.scope, "client": access.application.client_id})


def count(request):
    return JsonResponse({"count": AccessToken.objects.count()})


urlpatterns = [
    path("login/", sign_in), path("me", me), path("count", count), path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
    *metadata_urlpatterns,
]


def client(name, kind, grant, secret="", **more):
    Application.objects.create(name=name, client_id=name, client_type=kind, authorization_grant_type=grant, client_secret=secret, algorithm="RS256", **more)


client("basic", "confidential", "client-credentials", "s e:c&ret+%ä")
client("post", "confidential", "client-credentials", "post-secret")
client("owner", "confidential", "password", "owner-secret")
client("public", "public", "authorization-code", redirect_uris="http://127.0.0.1:8765/callback http://localhost:8766/back/here")
client("device", "public", "urn:ietf:params:oauth:grant-type:device_code")


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 256


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


server = make_server("127.0.0.1", int(sys.argv[1]), get_wsgi_application(), Server, Quiet)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
