"""An org that is none: enough of the platform's endpoints for the real command line.

It takes every deployment but those with a class called Broken, runs the test class CalcTest, and
answers every query with one account.
"""

from __future__ import annotations

import base64
import io
import json
import re
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

VERSION = "67.0"
ORG, USER = "00D000000000001AAA", "005000000000001AAA"
JOB, TEST_CLASS = "707000000000001AAA", "01p000000000001AAA"
_TYPES = {"cls": "ApexClass", "flow": "Flow", "trigger": "ApexTrigger"}
_SOAP = (
    "<?xml version='1.0'?><soapenv:Envelope xmlns:soapenv='http://schemas.xmlsoap.org/soap/"
    "envelope/' xmlns='{space}' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'>"
    "<soapenv:Header><DebuggingInfo><debugLog>{log}</debugLog></DebuggingInfo></soapenv:Header>"
    "<soapenv:Body>{body}</soapenv:Body></soapenv:Envelope>"
)


def _record(kind, record_id, **fields):
    return {"attributes": {"type": kind}, "Id": record_id, **fields}


_CLASS = _record("ApexClass", TEST_CLASS, Name="CalcTest", NamespacePrefix=None)
_RECORDS = {
    "Organization": [
        _record("Organization", ORG, Name="Simulated", IsSandbox=True, TrialExpirationDate=None,
                NamespacePrefix=None, InstanceName="CS1", OrganizationType="Developer Edition")
    ],
    "Account": [_record("Account", "001000000000001AAA", Name="Acme")],
    "ApexClass": [_CLASS],
    "ApexTestRunResult": [
        _record("ApexTestRunResult", "05m000000000001AAA", AsyncApexJobId=JOB, Status="Completed",
                ClassesCompleted=1, ClassesEnqueued=1, MethodsEnqueued=1, TestTime=12,
                TestSetupTime=0, StartTime="2026-01-01T00:00:00.000+0000",
                EndTime="2026-01-01T00:00:01.000+0000", UserId=USER)
    ],
    "ApexTestQueueItem": [
        _record("ApexTestQueueItem", "709000000000001AAA", Status="Completed", ParentJobId=JOB,
                ApexClassId=TEST_CLASS, TestRunResultId="05m000000000001AAA")
    ],
    "ApexTestResult": [
        _record("ApexTestResult", "07M000000000001AAA", QueueItemId="709000000000001AAA",
                StackTrace=None, Message=None, RunTime=5, AsyncApexJobId=JOB, MethodName="adds",
                TestTimestamp="2026-01-01T00:00:00.000+0000", Outcome="Pass", ApexLogId=None,
                IsTestSetup=False, ApexClass=_CLASS)
    ],
}  # fmt: skip


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_GET(self):
        path, asked = urlsplit(self.path).path.rstrip("/"), parse_qs(urlsplit(self.path).query)
        if path == "/services/data":
            return self._reply([{"label": "x", "url": f"{path}/v{VERSION}", "version": VERSION}])
        if path == "/services/oauth2/userinfo":
            return self._reply(
                {
                    "user_id": USER,
                    "organization_id": ORG,
                    "name": "B",
                    "preferred_username": "bench@example.org",
                }
            )
        if path.endswith("/query") and "columns" in asked:
            return self._reply({"columnMetadata": [], "entityName": "Account"})
        if path.endswith("/query"):
            return self._reply(self._found(asked["q"][0]))
        if "/sobjects/User/" in path:
            return self._reply(_record("User", USER, Username="bench@example.org"))
        if "/sobjects/" in path:
            return self._reply({"name": "x", "fields": []})
        if path.endswith(f"/v{VERSION}"):
            return self._reply({"tooling": f"/services/data/v{VERSION}/tooling"})
        return self._reply([{"errorCode": "NOT_FOUND", "message": "not here"}], 404)

    def _found(self, soql):
        kind = re.search(r"FROM\s+(\w+)", soql, re.IGNORECASE)[1]
        records = _RECORDS.get(kind, [])
        return {"size": len(records), "totalSize": len(records), "done": True, "records": records}

    def do_POST(self):
        text = self._body().decode("utf-8", "replace")
        if "runTestsAsynchronous" in self.path:
            return self._reply(JOB)
        if "/services/Soap/s/" in self.path:
            return self._reply(
                _SOAP.format(
                    space="http://soap.sforce.com/2006/08/apex",
                    log="",
                    body="<executeAnonymousResponse><result><compiled>true</compiled><success>true"
                    "</success><column>-1</column><line>-1</line><compileProblem xsi:nil='true'/>"
                    "<exceptionMessage xsi:nil='true'/><exceptionStackTrace xsi:nil='true'/>"
                    "</result>"
                    "</executeAnonymousResponse>",
                ),
                kind="text/xml",
            )
        if "/services/Soap/m/" in self.path:
            return self._reply(
                _SOAP.format(
                    space="http://soap.sforce.com/2006/04/metadata",
                    log="",
                    body=self._metadata(text),
                ),
                kind="text/xml",
            )
        return self._reply([{"errorCode": "NOT_FOUND", "message": "not here"}], 404)

    def _metadata(self, text):
        if "<checkDeployStatus" in text:
            return (
                f"<checkDeployStatusResponse><result>{self._deployed()}</result>"
                "</checkDeployStatusResponse>"
            )
        sent = re.search(r"<(?:\w+:)?ZipFile>([^<]+)<", text)
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(sent[1]))) as packed:
            self.server.names = packed.namelist()
        return (
            "<deployResponse><result><done>false</done><id>0Af000000000001AAA</id>"
            "<state>Queued</state></result></deployResponse>"
        )

    def _deployed(self):
        names = [n for n in self.server.names if n.rpartition(".")[2] in _TYPES]
        broken = [n for n in names if "Broken" in n]
        good = [] if broken else names
        state = "Failed" if broken else "Succeeded"
        parts = "".join(self._component(n, is_good=True) for n in good)
        parts += "".join(self._component(n, is_good=False) for n in broken)
        return (
            f"<checkOnly>false</checkOnly><details>{parts}</details><done>true</done>"
            f"<id>0Af000000000001AAA</id><numberComponentErrors>{len(broken)}"
            f"</numberComponentErrors><numberComponentsDeployed>{len(good)}"
            f"</numberComponentsDeployed><numberComponentsTotal>{len(names)}"
            "</numberComponentsTotal><numberTestErrors>0</numberTestErrors>"
            "<numberTestsCompleted>0</numberTestsCompleted><numberTestsTotal>0</numberTestsTotal>"
            f"<status>{state}</status><success>{str(not broken).lower()}</success>"
        )

    @staticmethod
    def _component(name, *, is_good):
        tag = "componentSuccesses" if is_good else "componentFailures"
        stem, _, ending = name.rpartition("/")[2].rpartition(".")
        problem = (
            "" if is_good else "<problem>cannot be compiled</problem><lineNumber>2</lineNumber>"
        )
        return (
            f"<{tag}><changed>true</changed><componentType>{_TYPES[ending]}</componentType>"
            f"<created>true</created><deleted>false</deleted><fileName>{name}</fileName>"
            f"<fullName>{stem}</fullName>{problem}<success>{str(is_good).lower()}</success></{tag}>"
        )

    def _body(self):
        length = self.headers.get("Content-Length")
        if length is not None:
            return self.rfile.read(int(length))
        found = b""
        while size := int(self.rfile.readline().strip() or b"0", 16):
            found += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return found

    def _reply(self, document, status=200, kind="application/json"):
        text = document if kind == "text/xml" else json.dumps(document)
        self.send_response(status)
        self.send_header("Content-Type", f"{kind};charset=UTF-8")
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


def serve():
    """Return a server on a free port of this machine; it is not running yet."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.names = []
    return server
