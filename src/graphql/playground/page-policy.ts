const DIRECTIVES = {
  'default-src': "'none'",
  'base-uri': "'self'",
  'connect-src': "'self'",
  'font-src': "'self'",
  'form-action': "'none'",
  'frame-ancestors': "'self'",
  'img-src': "'self' data:",
  // Scripts that people write for before and after a request are evaluated, in a worker.
  'script-src': "'self' 'unsafe-eval'",
  // The page sets its styles by script.
  'style-src': "'self' 'unsafe-inline'",
  'worker-src': "'self'",
};

/** The Content-Security-Policy of the page and of its workers: nothing is loaded from another origin, or sent to one. */
export const PAGE_POLICY = Object.entries(DIRECTIVES).map(([name, sources]) => `${name} ${sources}`).join('; ');
