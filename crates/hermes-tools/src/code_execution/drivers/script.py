def _begin():
    import os, sys
    # Takes standard input for the calls of tools, before the script or anything that it starts could read from it.
    import hermes_tools

    own = __file__
    script = os.path.join(os.path.dirname(own), "script.py")

    def told(kind, error, trace):
        while trace is not None and trace.tb_frame.f_code.co_filename == own:
            trace = trace.tb_next
        sys.__excepthook__(kind, error.with_traceback(trace), trace)

    sys.excepthook = told
    sys.argv[0] = script
    globals()["__file__"] = script
    del globals()["_begin"]
    with open(script, "rb") as file:
        return compile(file.read(), script, "exec", dont_inherit=True)


exec(_begin())
