import type { Browser, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSite } from '../api/support/site.js';
import type { Site, SiteOptions } from '../api/support/site.js';
import { databases } from '../support/databases.js';
import { openAltair } from './support/altair.js';
import { isBrowserMissing, launchBrowser, openPage } from './support/chromium.js';
import type { WatchedPage } from './support/chromium.js';
import { startPrefixProxy } from './support/prefix-proxy.js';
import type { Proxy } from './support/prefix-proxy.js';
import { defined } from '../../src/lib/assert.js';

const create = async (
  { server, tokens }: Site,
  path: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const headers = {
    authorization: `Bearer ${defined(tokens['full'], 'the full-access token')}`,
    'content-type': 'application/json',
  };
  const { status } = await fetch(`${server.url}/api/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ data }),
  });
  expect(status).toBe(201);
};

/** Expects that the page requested nothing from other origins and that its policy blocked nothing. */
const expectNoExternalRequests = ({ requested, errors }: WatchedPage, origin: string): void => {
  expect(requested.length).toBeGreaterThan(20);
  expect(requested.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([]);
  expect(errors).toEqual([]);
};

/** Leaves out of the document what is not about articles: drawing it all takes many seconds. */
const showArticles = async (route: Route): Promise<void> => {
  const response = await route.fetch();
  const document = (await response.json()) as { readonly paths: Readonly<Record<string, unknown>> };
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/articles'));
  await route.fulfill({ response, json: { ...document, paths: Object.fromEntries(paths) } });
};

if (isBrowserMissing)
  process.stderr.write(
    'Neither Chromium nor Chrome is installed: the playground is not tested in a browser.\n',
  );

describe.skipIf(isBrowserMissing)('the playground in a browser', () => {
  const closers: (() => Promise<void>)[] = [];
  const lasting: (() => Promise<void>)[] = [];
  let browser: Browser;
  const start = async (config: SiteOptions['config'] = {}): Promise<Site> => {
    const [database] = databases;
    if (database === undefined) throw new Error('There is no database to test with.');
    const site = await createSite({ project: 'magazine', database, config });
    closers.push(site.close);
    await create(site, 'tags', { name: 'red' });
    await create(site, 'articles', { title: 'Behind the gate' });
    return site;
  };
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    // Open pages draw on, which takes a processor.
    for (const context of browser.contexts()) await context.close();
    for (const close of closers.splice(0).toReversed()) await close();
  });
  afterAll(() => browser?.close());

  it('runs queries, also with a token in a header, without requests to other origins', async () => {
    const { server, tokens, log } = await start();
    const watched = await openPage(browser);
    const altair = await openAltair(watched.page, `${server.url}/graphql`);
    expect(await altair.query()).toContain('articles(pagination: { limit: 10 })');
    await altair.typeQuery('{ tags { name } }');
    await altair.run('"name": "red"');
    await altair.typeQuery('{ articles { title } }');
    await altair.run('"FORBIDDEN"');
    expect(await watched.page.locator('app-query-result').innerText()).not.toContain('Behind the gate');
    await altair.setHeader('Authorization', `Bearer ${defined(tokens['full'], 'the full-access token')}`);
    await altair.run('"title": "Behind the gate"');
    expectNoExternalRequests(watched, server.url);
    expect(log).toEqual([]);
  });

  describe('behind a proxy with a path prefix', () => {
    let proxy: Proxy;
    beforeAll(async () => {
      const { server } = await start({
        docs: 'always',
        plugins: { graphql: { config: { endpoint: '/content/query' } } },
      });
      proxy = await startPrefixProxy('/site', server.url);
      closers.push(proxy.close);
      lasting.push(...closers.splice(0));
    });
    afterAll(async () => {
      for (const close of lasting.splice(0).toReversed()) await close();
    });

    it('works at a configured endpoint', async () => {
      const watched = await openPage(browser);
      const altair = await openAltair(watched.page, `${proxy.url}/content/query/`);
      expect(await altair.address()).toBe(`${proxy.url}/content/query`);
      await altair.typeQuery('{ tags { name } }');
      await altair.run('"name": "red"');
      expectNoExternalRequests(watched, proxy.url);
    });

    it('has the reference of the API, which fits a phone and loads nothing from other origins', async () => {
      const watched = await openPage(browser);
      const { page } = watched;
      await page.route(`${proxy.url}/api/openapi.json`, showArticles);
      await page.goto(`${proxy.url}/docs/`);
      await page.getByRole('heading', { name: 'List articles' }).waitFor();
      await page.getByPlaceholder('Search').fill('publish');
      await page.getByRole('search').getByRole('menuitem').first().waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      const [address, script, description, ...others] = watched.requested;
      expect([address, description]).toEqual([`${proxy.url}/docs/`, `${proxy.url}/api/openapi.json`]);
      expect(script).toMatch(/\/site\/docs\/redoc\/\w+\.js$/);
      // The worker that searches.
      expect(others.filter((url) => !url.startsWith('blob:'))).toEqual([]);
      expect(watched.errors).toEqual([]);
    });
  });

  it('shows the events of a subscription', async () => {
    const site = await start();
    const watched = await openPage(browser);
    const { page } = watched;
    const altair = await openAltair(page, `${site.server.url}/graphql`);
    await altair.typeQuery('subscription { tagCreated { name } }');
    await page.locator('[track-id="set_request"]').click();
    const eventResult = page.locator('app-query-result', { hasText: '"tagCreated"' });
    let tagCount = 0;
    await expect
      .poll(
        async () => {
          await create(site, 'tags', { name: `blue ${tagCount++}` });
          return eventResult.count();
        },
        { timeout: 90_000, interval: 500 },
      )
      .toBeGreaterThan(0);
    expect(watched.requested).toContain(`${site.server.url.replace('http', 'ws')}/graphql`);
    expectNoExternalRequests(
      { ...watched, requested: watched.requested.filter((url) => !url.startsWith('ws:')) },
      site.server.url,
    );
  });

  it('runs pre-request scripts', async () => {
    const { server } = await start();
    const watched = await openPage(browser);
    const { page } = watched;
    const altair = await openAltair(page, `${server.url}/graphql`);
    await altair.typeQuery('{ tags(filters: { name: { eq: "{{name}}" } }) { name } }');
    await page.getByText('Pre-request', { exact: true }).click();
    await page.getByText('Enable pre-request script').click();
    await page.locator('app-pre-request-editor .cm-content').click();
    await page.keyboard.type('altair.helpers.setEnvironment("name", "red");');
    await altair.run('"name": "red"');
    expectNoExternalRequests(watched, server.url);
  });
});
