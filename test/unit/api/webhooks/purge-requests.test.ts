import { describe, expect, it } from 'vitest';
import { combineTags, purgeRequests } from '../../../../src/api/webhooks/purge-requests.js';
import { webhooks } from '../../../../src/config/webhook-settings.js';

const tagsOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `article:a${index}`);

describe('purgeRequests', () => {
  it('sends up to 256 keys in one request to Fastly, with the token', () => {
    const [first, second, ...others] = purgeRequests('fastly', tagsOf(300), 'secret-token');
    expect(others).toEqual([]);
    expect(first).toMatchObject({ method: 'POST', headers: { 'fastly-key': 'secret-token' } });
    expect(JSON.parse(first?.body ?? '')).toEqual({ surrogate_keys: tagsOf(300).slice(0, 256) });
    expect(JSON.parse(second?.body ?? '')).toEqual({ surrogate_keys: tagsOf(300).slice(256) });
  });

  it('sends up to 30 tags in one request to Cloudflare', () => {
    const requests = purgeRequests('cloudflare', tagsOf(31), 'secret-token');
    expect(requests.map(({ body }) => JSON.parse(body ?? '') as unknown)).toEqual([
      { tags: tagsOf(31).slice(0, 30) },
      { tags: ['article:a30'] },
    ]);
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer secret-token' });
  });

  it('sends Varnish a pattern that matches whole tags only', () => {
    const [request] = purgeRequests('varnish', ['article.title', 'article*', 'article?0a1b'], null);
    expect(request).toMatchObject({ method: 'PURGE', body: null });
    const pattern = new RegExp(request?.headers['x-cache-tags'] ?? '');
    expect(
      ['all,article.title', 'article*,all', 'all,article?0a1b'].every((tags) => pattern.test(tags)),
    ).toBe(true);
    expect(
      ['all,article', 'articlestitle', 'all,article:b', 'xarticle*'].some((tags) => pattern.test(tags)),
    ).toBe(false);
  });
});

describe('combineTags', () => {
  it('sends each tag once, and the tag of all responses alone', () => {
    expect(combineTags(['tag', 'tag:a', 'tag'])).toEqual(['tag', 'tag:a']);
    expect(combineTags(['tag', 'all', 'tag:a'])).toEqual(['all']);
  });

  it('sends types instead of more than 2,000 tags', () => {
    expect(combineTags([...tagsOf(2000), 'tag@fr?12ab'])).toEqual(['article!', 'article*', 'tag!', 'tag*']);
    expect(combineTags(tagsOf(2000))).toHaveLength(2000);
  });
});

describe('webhooks with the event cache.purge', () => {
  const base = { name: 'cdn', url: 'https://cache.example.com', events: ['cache.purge'] };
  it.each([
    ['nothing else', {}, true],
    ['Varnish', { purge: 'varnish' }, true],
    ['Fastly and a token', { purge: 'fastly', secret: 'secret-token' }, true],
    ['Fastly without a token', { purge: 'fastly' }, false],
    ['other events', { events: ['cache.purge', 'entry.publish'] }, false],
    ['types', { types: ['article'] }, false],
    ['locales', { locales: ['en'] }, false],
    ['a service and other events', { events: ['entry.publish'], purge: 'varnish' }, false],
  ])('may have %s: %o', (_what, changes, isAllowed) => {
    expect(webhooks.read([{ ...base, ...changes }]) !== undefined).toBe(isAllowed);
  });
});
