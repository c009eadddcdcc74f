const DIRECTIVES = {
  'default-src': "'none'",
  'base-uri': "'self'",
  'connect-src': "'self'",
  'font-src': "'self'",
  'form-action': "'none'",
  'frame-ancestors': "'self'",
  'img-src': "'self' data:",
  // Pre-request and post-request scripts are evaluated in a worker.
  'script-src': "'self' 'unsafe-eval'",
  // The page sets its styles by script.
  'style-src': "'self' 'unsafe-inline'",
  'worker-src': "'self'",
};

/**
 * The Content-Security-Policy of the page and its workers. They load nothing from other origins and send
 * nothing to them.
 */
export const CONTENT_SECURITY_POLICY = Object.entries(DIRECTIVES)
  .map(([name, sources]) => `${name} ${sources}`)
  .join('; ');
