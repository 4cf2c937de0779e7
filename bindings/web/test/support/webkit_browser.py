#!/usr/bin/python3
"""A WebKitGTK window, started by WebKitWebDriver.

Unlike MiniBrowser, it prints console messages of automated pages.

usage: webkit_browser.py FOLDER    (for data that pages store)
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402


def main(folder: str) -> None:
    data = WebKit2.WebsiteDataManager(base_data_directory=folder, base_cache_directory=folder)
    context = WebKit2.WebContext(website_data_manager=data)
    settings = WebKit2.Settings(enable_write_console_messages_to_stdout=True)
    window = Gtk.Window(default_width=1200, default_height=900)
    window.connect("destroy", Gtk.main_quit)

    def make_view(_session: object) -> object:
        view = WebKit2.WebView(web_context=context, settings=settings, is_controlled_by_automation=True)
        view.connect("close", Gtk.main_quit)
        window.add(view)
        window.show_all()
        return view

    context.connect("automation-started", lambda _context, session: session.connect("create-web-view", make_view))
    context.set_automation_allowed(True)
    Gtk.main()


main(sys.argv[1])
