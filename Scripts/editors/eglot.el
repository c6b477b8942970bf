;;; -*- lexical-binding: t -*-
;; Emacs' own client, eglot, with `reqrun lsp`, in batch mode: prints what it gets, and exits with 1 if something is
;; missing.
(require 'eglot)
(require 'flymake)
(define-derived-mode reqrun-mode text-mode "reqrun")
(add-to-list 'eglot-server-programs (list 'reqrun-mode (getenv "REQRUN") "lsp"))
(setq eglot-connect-timeout 60 eglot-autoshutdown t flymake-start-on-flymake-mode nil)

(defun check (what condition)
  (message "%s: %s" (if condition "ok" "FAILED") what)
  (unless condition (kill-emacs 1)))

(defun wait-for (condition)
  (let ((end (+ (float-time) 60)))
    (while (and (not (funcall condition)) (< (float-time) end)) (accept-process-output nil 0.05))
    (funcall condition)))

(let ((project-find-functions (list (lambda (directory) (cons 'transient directory)))))
  (find-file (getenv "SPEC"))
  (reqrun-mode)
  (apply #'eglot (let ((eglot-sync-connect t)) (eglot--guess-contact)))
  (check "the connection" (eglot-managed-p))
  (flymake-start)
  (check "diagnostics" (wait-for (lambda () (= (length (flymake-diagnostics)) 1))))
  (let ((problem (car (flymake-diagnostics))))
    (check "the line of the error" (= (line-number-at-pos (flymake-diagnostic-beg problem)) 9)))
  (goto-char (point-min))
  (search-forward "${{ to")
  (let ((items (append (plist-get (jsonrpc-request (eglot-current-server) :textDocument/completion
                                                   (eglot--TextDocumentPositionParams)) :items) nil)))
    (check "completion of a captured name" (seq-some (lambda (item) (equal (plist-get item :label) "token")) items)))
  (insert "ken")
  ;; Idle timers, which send changes, don't run in batch mode.
  (eglot--signal-textDocument/didChange)
  (check "no diagnostics after the correction" (wait-for (lambda () (null (flymake-diagnostics))))))
