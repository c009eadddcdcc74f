import { escapeHtml } from '../../lib/escape-html.js';

const STYLE =
  'body { margin: 0; font-family: system-ui, sans-serif; } noscript { display: block; padding: 2rem; }';

const FONT = 'system-ui, sans-serif';
const CODE_FONT = "ui-monospace, 'Cascadia Code', Menlo, Consolas, monospace";

/** The default theme names fonts that would have to be loaded. */
const THEME = {
  typography: {
    fontFamily: FONT,
    headings: { fontFamily: FONT },
    code: { fontFamily: CODE_FONT },
  },
};

/** Redoc sets its styles by script, and searches in a worker that it makes of a text. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'worker-src blob:',
].join('; ');

export interface ReferencePage {
  readonly title: string;
  /** The addresses of the document and of Redoc, relative to the page. */
  readonly document: string;
  readonly script: string;
}

/** Prints the page that shows an OpenAPI document. */
export function printReferencePage({ title, document, script }: ReferencePage): string {
  const address = escapeHtml(document);
  const theme = escapeHtml(JSON.stringify(THEME));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}: API reference</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<noscript>This page needs JavaScript. The <a href="${address}">OpenAPI document</a> does not.</noscript>
<redoc spec-url="${address}" native-scrollbars="true" theme="${theme}"></redoc>
<script src="${escapeHtml(script)}"></script>
</body>
</html>
`;
}
