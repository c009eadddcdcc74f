import { describe, expect, it } from 'vitest';
import { isSelected } from '../support/selected-dialects.js';
import { pagesIn, parsePage, readPage } from './support/code-blocks.js';
import type { Page } from './support/code-blocks.js';
import { printPageScript } from './support/page-script.js';
import { runPage } from './support/run-page.js';

const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pagesIn('docs')].map(readPage);

const page = (markdown: string): Page => parsePage('page.md', markdown);

describe('the documentation', () => {
  it('has pages and code blocks', () => {
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.flatMap(({ blocks }) => blocks).length).toBeGreaterThan(15);
  });

  it.each(pages.filter(({ blocks }) => blocks.length > 0))('does what $path says', runPage);
});

describe('the checker of the documentation', () => {
  it('fails where a command fails', async () => {
    await expect(runPage(page('```sh\ntrue\nfalse\n```'))).rejects.toThrow('ended with 1');
  });

  it('fails where a command ends with another exit code than stated', async () => {
    await expect(runPage(page('```sh exit=3\nexit 2\n```'))).rejects.toThrow('exit code 2 instead of 3');
    await expect(runPage(page('```sh exit=3\nexit 3\n```'))).resolves.toBeUndefined();
  });

  it('fails where a block that is to serve ends, or serves nothing', async () => {
    await expect(runPage(page('```sh serves=ready\necho no\n```'))).rejects.toThrow('ended with 1');
    const silent = '```sh serves=ready\necho http://127.0.0.1:9 ready\nsleep 60\n```';
    await expect(runPage(page(silent))).rejects.toThrow('Failed to connect');
  });

  it('leaves nothing running that a failed block has started', async () => {
    await expect(runPage(page('```sh\nsleep 600 &\nfalse\n```'))).rejects.toThrow('ended with 1');
  });

  it('writes files and keeps the folder and variables of the blocks before', async () => {
    const markdown = [
      '```sh\nmkdir site\ncd site\nNAME=note\n```',
      '```json file=a/b.json\n{"c": 1}\n```',
      '```sh\ngrep -q c a/b.json\n[ "$NAME" = note ]\n```',
    ];
    await expect(runPage(page(markdown.join('\n')))).resolves.toBeUndefined();
  });

  it('runs a script that is written to a file of that name', async () => {
    const markdown =
      '```js file=print.mjs\nconsole.log(1 + 1);\n```\n```sh\n[ "$(node print.mjs)" = 2 ]\n```';
    await expect(runPage(page(markdown))).resolves.toBeUndefined();
  });

  it.skipIf(!isSelected('postgresql'))('gives a page the PostgreSQL database that it names', async () => {
    const url = 'postgresql://site:secret@localhost:5432/site';
    await expect(runPage(page(`\`\`\`sh\necho ${url} | grep -q /test_\n\`\`\``))).resolves.toBeUndefined();
  });

  it('refuses unclosed blocks, unknown languages and invalid JSON', () => {
    expect(() => page('```sh\ntrue')).toThrow('page.md:1');
    expect(() => printPageScript(page('```cobol\n```'), { port: 1 })).toThrow('cobol');
    expect(() => printPageScript(page('```json\n{\n```'), { port: 1 })).toThrow('JSON');
  });
});
