"""A real JupyterLab in a real Chromium.

The lab exposes its application object, so that waiting for a kernel, running a cell, saving and
restarting are awaited calls; only what a user does (look, click, type) goes through the page.
"""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import nbformat

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_STARTUP_S = 90
_CLASSES = {"lab": "LabApp", "notebook": "JupyterNotebookApp"}
_HERE = "window.jupyterapp.shell.currentWidget"


class Lab:
    """A JupyterLab server with folders of its own; `app="notebook"` is Notebook 7."""

    def __init__(self, folder: Path, theme: str = "JupyterLab Light", app: str = "lab"):
        self.root, self.home = folder / "root", folder / "home"
        for part in (self.root, self.home):
            part.mkdir(parents=True, exist_ok=True)
        self._settings(theme)
        port = _free_port()
        self.token, self.url = secrets.token_hex(16), f"http://127.0.0.1:{port}"
        self._log = self.home / "lab.log"
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "jupyter", app, "--no-browser", "--allow-root"),
                    *("--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0"),
                    f"--IdentityProvider.token={self.token}",
                    f"--ServerApp.root_dir={self.root}",
                    f"--{_CLASSES[app]}.expose_app_in_browser=True",
                    f"--{_CLASSES[app]}.extension_manager=readonly",
                    f"--{_CLASSES[app]}.news_url=None",
                ],
                env=self._environment(),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._wait()

    def _settings(self, theme):
        for plugin, body in {
            "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
            "apputils-extension/themes": {"theme": theme},
            "notebook-extension/tracker": {"windowingMode": "none"},
            "docmanager-extension/plugin": {"autosave": False},
        }.items():
            file = self.home / "settings" / "@jupyterlab" / f"{plugin}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(body))

    def _environment(self):
        package = Path(__file__).parents[2]
        return {
            **os.environ,
            "HOME": str(self.home),
            "JUPYTER_CONFIG_DIR": str(self.home / "config"),
            "JUPYTER_DATA_DIR": str(self.home / "data"),
            "JUPYTER_RUNTIME_DIR": str(self.home / "runtime"),
            "IPYTHONDIR": str(self.home / "ipython"),
            "JUPYTERLAB_SETTINGS_DIR": str(self.home / "settings"),
            "PYTHONPATH": os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")]),
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        }

    def _wait(self):
        end = time.monotonic() + _STARTUP_S
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(self._log.read_text()[-4000:])
            time.sleep(0.1)

    def _answers(self):
        try:
            with urllib.request.urlopen(f"{self.url}/api/status?token={self.token}", timeout=2):
                return True
        except (urllib.error.URLError, OSError):
            return False

    def write(self, name, cells):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(notebook, self.root / name)

    def read(self, name):
        return nbformat.read(self.root / name, as_version=4)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(5)


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Notebook:
    """A notebook open in the browser."""

    def __init__(self, page, lab, name):
        self.page, self.lab, self.name = page, lab, name
        self.open()

    def open(self):
        self.page.goto(f"{self.lab.url}/doc/tree/{self.name}?token={self.lab.token}&reset")
        self.page.wait_for_function(f"() => window.jupyterapp && {_HERE}")
        self.page.evaluate(
            f"""async () => {{
                await window.jupyterapp.restored;
                const w = {_HERE};
                await w.revealed; await w.context.ready; await w.sessionContext.ready;
                await w.sessionContext.session.kernel.info; }}"""
        )

    def command(self, name):
        self.page.evaluate("(c) => window.jupyterapp.commands.execute(c, {})", name)

    def run(self, index):
        """Run one cell and wait until the kernel is through with it."""
        self.page.evaluate(f"(i) => {{ {_HERE}.content.activeCellIndex = i; }}", index)
        self.command("notebook:run-cell")

    def run_all(self):
        self.command("notebook:run-all-cells")

    def restart(self):
        self.page.evaluate(f"async () => {{ await {_HERE}.sessionContext.restartKernel(); }}")

    def save(self):
        self.page.evaluate(f"async () => {{ await {_HERE}.context.save(); }}")
        return self.lab.read(self.name)

    def kernel(self, expression):
        """Return the repr of an expression in the live kernel; no cell, no history."""
        return self.page.evaluate(
            f"""async (expression) => {{
                const k = {_HERE}.sessionContext.session.kernel;
                const r = await k.requestExecute({{code: '', silent: true, store_history: false,
                    user_expressions: {{x: expression}}}}).done;
                const x = r.content.user_expressions.x;
                return x.status === 'ok' ? x.data['text/plain'] : x.ename + ': ' + x.evalue; }}""",
            expression,
        )

    def cell(self, index):
        return self.page.locator(".jp-Cell").nth(index)
