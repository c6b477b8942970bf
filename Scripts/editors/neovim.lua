-- Neovim's own client with `reqrun lsp`, headless: prints what it gets, and exits with 1 if something is missing.
local program, file = vim.env.REQRUN, vim.env.SPEC
vim.cmd("edit " .. vim.fn.fnameescape(file))
local client = vim.lsp.start_client({ name = "reqrun", cmd = { program, "lsp" }, root_dir = vim.fn.fnamemodify(file, ":h") })
vim.lsp.buf_attach_client(0, client)

local function check(what, condition)
  print((condition and "ok: " or "FAILED: ") .. what)
  if not condition then vim.cmd("cquit 1") end
end

local function request(method, line, column)
  local params = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = line, character = column } }
  local responses = vim.lsp.buf_request_sync(0, method, params, 60000) or {}
  for _, response in pairs(responses) do return response.result end
end

check("diagnostics", vim.wait(60000, function() return #vim.diagnostic.get(0) == 1 end))
local problem = vim.diagnostic.get(0)[1]
check("the line and column of the error", problem.lnum == 8 and problem.col == 44)

local labels = {}
for _, item in ipairs(request("textDocument/completion", 8, 45).items) do labels[item.label] = item.detail or "" end
check("completion of a captured name", labels.token == 'captured by "log in", line 4, secret')
check("definition", request("textDocument/definition", 7, 15).range.start.line == 1)
check("hover", request("textDocument/hover", 9, 5).contents.value:find("^`expect`: ") ~= nil)

-- The client's own incremental changes, with characters of several code units before them.
vim.api.nvim_buf_set_text(0, 8, 44, 8, 46, { "token" })
vim.api.nvim_buf_set_lines(0, 0, 0, false, { "# é😀" })
check("no diagnostics after the correction", vim.wait(60000, function() return #vim.diagnostic.get(0) == 0 end))
vim.cmd("qall!")
