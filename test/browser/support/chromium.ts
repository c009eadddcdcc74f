import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const find = (): string | undefined => {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
};

const executable = find();

/** Whether tests do without a browser: only on a developer's own machine that has none. */
export const lacksBrowser = executable === undefined && !process.env['CI'];

/** Names of other machines lead nowhere, so that nothing leaves this one whatever a page tries. */
const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

/** Longer than anything takes on a machine that is busy otherwise. */
const PATIENCE_MS = 90_000;

export async function launchBrowser(): Promise<Browser> {
  if (executable === undefined) throw new Error(`None of ${NAMES.join(', ')} is on the PATH. On Debian: apt-get install chromium`);
  return chromium.launch({ executablePath: executable, args: ARGUMENTS, timeout: PATIENCE_MS });
}

/** A page with what it asked for and what went wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Addresses of everything it, its frames and its workers requested or tried to. */
  readonly requested: readonly string[];
  /** Errors on its console, which refusals by its own policy are. */
  readonly errors: readonly string[];
}

/** A new page that knows nothing of other pages: no storage, no cache. */
export async function openPage(browser: Browser): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 850 } });
  page.setDefaultTimeout(PATIENCE_MS);
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
