import type { Page } from 'playwright-core';

/** What the tests do in the playground. */
export interface Altair {
  /** Returns the text of the query editor. */
  readonly query: () => Promise<string>;
  readonly typeQuery: (query: string) => Promise<void>;
  /** Runs the query. Resolves when the result contains the text. */
  readonly run: (expected: string) => Promise<void>;
  readonly setHeader: (name: string, value: string) => Promise<void>;
  readonly address: () => Promise<string>;
}

/** Opens the playground and waits until it is ready. */
export async function openAltair(page: Page, url: string): Promise<Altair> {
  await page.goto(url);
  const editor = page.locator('app-query-editor .cm-content').first();
  await editor.waitFor();
  const type = async (placeholder: string, text: string): Promise<void> => {
    await page.locator(`app-headers-editor [aria-placeholder="${placeholder}"]`).click();
    await page.keyboard.insertText(text);
  };
  return {
    query: () => editor.innerText(),
    typeQuery: async (query) => {
      await editor.click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(query);
    },
    run: async (expected) => {
      await page.locator('[track-id="set_request"]').click();
      await page.locator('app-query-result .cm-content', { hasText: expected }).waitFor();
    },
    setHeader: async (name, value) => {
      await page.locator('[track-id="show_set_headers"]').click();
      await type('Header key', name);
      await type('Header value', value);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.locator('app-headers-editor').waitFor({ state: 'detached' });
    },
    address: () => page.locator('[track-id="set_url"]').innerText(),
  };
}
