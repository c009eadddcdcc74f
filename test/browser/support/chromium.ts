import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { findExecutable } from '../../support/executable.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const executable = findExecutable(NAMES);

/** True if tests that need a browser are skipped: only outside of CI, where no browser is installed. */
export const isBrowserMissing = executable === undefined && !process.env['CI'];

/** Host names are not resolved, so that pages cannot reach other machines. */
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Long enough for a busy machine. */
const TIMEOUT_MS = 90_000;

export async function launchBrowser(): Promise<Browser> {
  if (executable === undefined)
    throw new Error(`None of ${NAMES.join(', ')} is on the PATH. On Debian: apt-get install chromium`);
  return chromium.launch({ executablePath: executable, args: ARGUMENTS, timeout: TIMEOUT_MS });
}

/** A page with its requests and errors. */
export interface WatchedPage {
  readonly page: Page;
  /** URLs of all requests of the page, its frames and its workers. */
  readonly requested: readonly string[];
  /** Errors on its console, including violations of its own policy. */
  readonly errors: readonly string[];
}

/** Opens a page with its own empty storage and cache. */
export async function openPage(browser: Browser): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 850 } });
  page.setDefaultTimeout(TIMEOUT_MS);
  const [requested, errors]: [string[], string[]] = [[], []];
  page.on('request', (request) => void requested.push(request.url()));
  page.on('websocket', (socket) => void requested.push(socket.url()));
  page.on('frameattached', (frame) => void requested.push(frame.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => void errors.push(error.message));
  return { page, requested, errors };
}
