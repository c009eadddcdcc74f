import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openProject } from '../../../src/project/open/open-project.js';
import Browse from '../../../src/commands/browse.js';
import LocaleAdd from '../../../src/commands/locale/add.js';
import { performRead, performWrite } from '../../../src/cli/browse/read-and-write.js';
import { runWrites } from '../../../src/cli/content/save-document.js';
import { writeContent } from '../../../src/cli/content/with-content.js';
import { typeOf } from '../../../src/model/lookup.js';
import { hasPty } from '../support/pty.js';
import { binaryPath } from '../support/binary.js';
import { bundledModules } from '../support/bundled-modules.js';
import { createSharedSite, rowsOf } from '../support/migrated-project.js';
import { packageRoot } from '../support/package-root.js';
import { runSql } from '../support/rows.js';
import { runCommand } from '../support/run-command.js';
import { runOnScreen } from '../support/screen.js';
import type { ScreenOptions, ScreenProgram } from '../support/screen.js';
import type { TempProject } from '../support/temp-project.js';

const ESCAPE = '\u001B';
const LEFT = `${ESCAPE}[D`;
const LONG = '長い題名と emoji 🚢 that goes on and on until nobody could read it in one line';

const LAMP = {
  kind: 'collectionType',
  collectionName: 'lamps',
  info: { singularName: 'lamp', pluralName: 'lamps', displayName: 'Lamp' },
  options: { draftAndPublish: true },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    title: { type: 'string', required: true, maxLength: 90, pluginOptions: { i18n: { localized: true } } },
    body: { type: 'richtext', pluginOptions: { i18n: { localized: true } } },
    seo: { type: 'component', component: 'shared.seo' },
    tag: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
  },
};

const SEO = {
  collectionName: 'seos',
  info: { displayName: 'seo' },
  attributes: { metaTitle: { type: 'string' } },
};

const NUMBERED = Array.from({ length: 24 }, (_each, index) => ({
  title: `Lamp ${String(index + 1).padStart(2, '0')}`,
}));

const fail = (message: string): never => {
  throw new Error(message);
};

describe('cms browse', () => {
  let site: TempProject;

  beforeAll(async () => {
    site = await createSharedSite({
      'src/api/lamp/content-types/lamp/schema.json': LAMP,
      'src/components/shared/seo.json': SEO,
    });
    const project = await openProject(site.root);
    await writeContent(project, fail, async (store) => {
      const write = (uid: string, data: readonly object[], status: 'draft' | 'published' = 'draft') => {
        const writes = data.map((each) => ({ action: 'create' as const, data: { ...each }, status }));
        return runWrites(store, typeOf(store.model, uid), writes, false);
      };
      const [tag] = await write('api::tag.tag', [{ title: 'Bright' }]);
      await write('api::lamp.lamp', NUMBERED);
      const seo = { metaTitle: 'Meta' };
      await write('api::lamp.lamp', [{ title: LONG, tag: tag?.documentId, seo }], 'published');
    });
    await runCommand(LocaleAdd, ['fr'], { cwd: site.root });
    // Written in one transaction, they have the same times.
    const seconds = "'2026-01-01T00:00:' || substr(title, 6) || '.000Z'";
    runSql(site, `UPDATE lamps SET updated_at = ${seconds} WHERE title LIKE 'Lamp %'`);
  });

  const lamps = (where: string) =>
    rowsOf(site, `SELECT title, status, locale FROM lamps WHERE ${where} ORDER BY id`);

  it('changes no document that others have changed since it was listed', async () => {
    const project = await openProject(site.root);
    const type = 'api::tag.tag';
    await writeContent(project, fail, async (store) => {
      const [written] = await runWrites(
        store,
        typeOf(store.model, type),
        [{ action: 'create', data: { title: 'Listed' } }],
        false,
      );
      const request = { type, status: 'draft', locale: null, search: 'Listed', order: 'title' } as const;
      const read = { kind: 'page', request: { ...request, start: 0, limit: 5, revision: 0 } } as const;
      const list = async () => {
        const event = await performRead(store, read);
        return event.kind === 'page' ? event.page.documents : [];
      };
      const [target] = await list();
      if (target === undefined) throw new Error('It is not listed');
      const update = {
        action: 'update',
        documentId: target.documentId,
        data: { title: 'Listed 2' },
      } as const;
      await runWrites(store, typeOf(store.model, type), [update], false);
      const remove = { kind: 'delete', onlyLocale: false } as const;
      await expect(performWrite(store, { ...remove, target })).rejects.toMatchObject({
        kind: 'precondition-failed',
      });
      const [present] = await list();
      expect(present).toMatchObject({ documentId: written?.documentId, title: 'Listed 2' });
      await performWrite(store, { ...remove, target: present ?? target });
      expect(await list()).toEqual([]);
    });
  });

  /** Opens the browser, whose editor replaces what a file says. */
  const open = (options: Omit<ScreenOptions, 'cwd'>, argv = ''): ScreenProgram => {
    const editor = join(site.root, 'editor.cjs');
    writeFileSync(
      editor,
      `const fs = require('node:fs'); const [file] = process.argv.slice(2);
       const [find, put] = JSON.parse(fs.readFileSync('edit.json', 'utf8'));
       fs.writeSync(1, 'In the editor\\n');
       // The keys are the editor's now.
       fs.readSync(0, Buffer.alloc(1));
       // The next wait for the editor must not find this one's text.
       fs.writeSync(1, '\\u001B[2J\\u001B[H');
       fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(find, put));`,
    );
    const env = { EDITOR: `'${process.execPath}' '${editor}'`, ...options.env };
    return runOnScreen(`'${process.execPath}' '${binaryPath}' browse ${argv}`, {
      ...options,
      cwd: site.root,
      env,
    });
  };

  describe.runIf(hasPty)('at 80×24', () => {
    let screen: ScreenProgram;
    const edit = (find: string, put: string): void =>
      writeFileSync(join(site.root, 'edit.json'), JSON.stringify([find, put]));
    const press = async (keys: string, shown: Parameters<ScreenProgram['until']>[0]): Promise<string> => {
      screen.type(keys);
      return screen.until(shown);
    };

    beforeAll(async () => {
      screen = open({ columns: 80, rows: 24 }, 'lamp');
      await screen.until(
        (text) => /home-page +0/.test(text) && /tag +1/.test(text) && /Meta[^]*\? help/.test(text),
      );
    });

    it('lists types with counts, and documents with status and locale', () => {
      const lines = screen.text().split('\n');
      expect(screen.isAlternate()).toBe(true);
      expect(lines).toHaveLength(24);
      expect(lines[0]).toMatch(/^ lamp · drafts · en · 1–10 of 25 · last changed first/);
      expect(lines[3]).toMatch(/^· lamp +25 │   draft      en      Lamp 24/);
      expect(lines[2]).toMatch(/│ > published  en      長い題名と emoji 🚢 that .*…/u);
      expect(lines[12]).toMatch(/── 長い題名.*… 1–\d+ of \d+ ──|── 長い題名.*… ──/u);
      expect(screen.text()).toMatch(/tag +Bright\n/);
      expect(screen.text()).toMatch(/seo +\+ shared.seo: Meta/);
      expect(lines[23]).toContain('? help');
    });

    it('sends little for a key', async () => {
      await press('j', /> draft +en +Lamp 24[^]*── Lamp 24 ─/);
      const before = screen.bytes();
      await press('j', /> draft +en +Lamp 23[^]*── Lamp 23 ─/);
      await press('k', /> draft +en +Lamp 24[^]*── Lamp 24 ─/);
      expect(screen.bytes() - before).toBeLessThan(2 * 1000);
    });

    it('pages through the store', async () => {
      await press('n', /11–20 of 25[^]*> draft +en +Lamp 15/);
      await press('G', /21–25 of 25[^]*> draft +en +Lamp 01/);
      await press('b', '11–20 of 25');
      await press('g', /1–10 of 25[^]*> published/);
    });

    it('unfolds components in the preview', async () => {
      await press('\tjj', /> seo +\+/);
      await press('\r', /> seo +- shared.seo: Meta\n.*metaTitle +Meta/);
      await press(LEFT, /> published/);
    });

    it('searches while somebody types', async () => {
      await press('/lamp 1', /1–10 of 10 [^]*Search: lamp 1_/);
      await press('7\r', /1–1 of 1 [^]*> draft +en +Lamp 17[^]*── Lamp 17 ─/);
    });

    it('publishes, shows that a draft was modified, and unpublishes', async () => {
      await press('p', /> published +en +Lamp 17[^]*Published "Lamp 17"\./);
      edit('Lamp 17', 'Lamp 17 b');
      await press('e', 'In the editor');
      expect(screen.isAlternate()).toBe(false);
      await press('\r', /> modified +en +Lamp 17 b[^]*Saved "Lamp 17"\./);
      expect(screen.isAlternate()).toBe(true);
      expect(lamps("title LIKE 'Lamp 17%'")).toEqual([
        { title: 'Lamp 17 b', status: 'draft', locale: 'en' },
        { title: 'Lamp 17', status: 'published', locale: 'en' },
      ]);
      await press('s', /lamp · published[^]*> modified +en +Lamp 17\n/);
      await press('s', /> modified +en +Lamp 17 b/);
      await press('v', /> published +en +Lamp 17\n[^]*Discarded the changes of/);
      await press('u', /> draft +en +Lamp 17\n[^]*Unpublished "Lamp 17"\./);
    });

    it('reports what is wrong with a text, keeps it, and edits it again', async () => {
      edit('Lamp 17', 'x'.repeat(91));
      await press('e', 'In the editor');
      await press('\r', 'Open the editor again?');
      await press('n\r', (text) => screen.isAlternate() && /title must be at most 90/.test(text));
      edit('x'.repeat(91), 'Lamp 17 c');
      await press('e', /Continuing with unsaved text[^]*In the editor/);
      await press('\r', /> draft +en +Lamp 17 c/);
    });

    it('duplicates, and deletes only what is confirmed', async () => {
      await press('d', /1–2 of 2 [^]*Duplicated "Lamp 17 c"\./);
      await press('x', 'Delete lamp "Lamp 17 c"? y in all locales');
      await press('n', (text) => text.includes('1–2 of 2') && !text.includes('Delete lamp'));
      await press('xy', /1–1 of 1 [^]*Deleted "Lamp 17 c"\./);
      expect(lamps("title LIKE 'Lamp 17%'")).toHaveLength(1);
      await press(ESCAPE, /1–10 of 25/);
    });

    it('copies a document to a locale that is chosen, and shows it there', async () => {
      await press('/Lamp 17', /1–1 of 1/);
      await press('\rt', 'to a new locale? 1 fr, any other key no');
      await press('1', /lamp · drafts · fr · 1–1 of 1[^]*> draft +fr +Lamp 17 c[^]*Copied "Lamp 17 c"\./);
      await press('L', /lamp · drafts · en/);
      await press('t', 'to a new locale?');
      await press('1', /exists in fr\. Nothing was written\./);
      await press(ESCAPE, /1–10 of 25/);
    });

    it('creates in the editor', async () => {
      edit('title:', 'title: Brand new');
      await press('c', 'In the editor');
      await press('\r', /1–10 of 26[^]*> draft +en +Brand new[^]*Created a document\./);
      edit('title:', 'title:');
      await press('c', 'In the editor');
      await press('\r', 'Nothing was changed.');
    });

    it('reports what a write refuses', async () => {
      edit('title: Brand new', 'title:');
      await press('e', 'In the editor');
      await press('\r', /> draft +en +[a-z0-9]{24}/);
      await press('p', 'title must be set');
      expect(lamps("status = 'published'")).toHaveLength(1);
    });

    it('shows other types, which have no drafts or no documents', async () => {
      await press(`${LEFT}${ESCAPE}[B`, /^ tag · 1–1 of 1[^]*> tag +1 │/);
      await press('p', 'tag has no drafts.');
      await press('kkk', 'No documents. Press c to create one.');
      await press('jj\t', /lamp · drafts/);
    });

    it('lists its keys', async () => {
      await press('?', /publish, unpublish[^]*Press any key to go back\./);
      await press(' ', 'TITLE');
    });

    it('follows the size of the terminal, and says where it is too small', async () => {
      screen.resize(120, 40);
      await screen.until(
        (text) => /1–18 of 26[^]*CHANGED/.test(text) && (text.split('\n')[39] ?? '').includes('o order'),
      );
      screen.resize(50, 10);
      await screen.until('This needs 60×20 cells; there are 50×10. q quits.');
      screen.resize(80, 24);
      await screen.until(/1–10 of 26[^]*\? help/);
    });

    it('quits with q, and leaves the terminal as it was', async () => {
      await press('q', /exit 0\][^]* icanon[^]*echo /);
      expect(screen.isAlternate()).toBe(false);
      expect(screen.text()).not.toContain('STATUS');
      expect(screen.text()).toMatch(/[^-]icanon[^]* [^-]?echo /);
      expect(screen.written().lastIndexOf(`${ESCAPE}[?25h`)).toBeGreaterThan(
        screen.written().lastIndexOf(`${ESCAPE}[?25l`),
      );
      expect(await screen.ended).toBe(0);
    });
  });

  describe.runIf(hasPty)('at 120×40 without colour', () => {
    it('shows the same, without a style, and restores the terminal when it is ended', async () => {
      const screen = open({ columns: 120, rows: 40, env: { NO_COLOR: '1' } }, '--locale en');
      await screen.until(/lamp +26/);
      screen.type(`${LEFT}jj`);
      const text = await screen.until((shown) =>
        ['CHANGED', '> lamp ', '· draft', 'lamp · drafts'].every((part) => shown.includes(part)),
      );
      expect(text.split('\n')).toHaveLength(40);
      // eslint-disable-next-line no-control-regex
      expect(screen.written()).not.toMatch(/\u001B\[[\d;]+m(?<!\u001B\[0m)/);
      screen.signal('SIGTERM');
      await screen.until(/exit 130\][^]* icanon/);
      expect(screen.isAlternate()).toBe(false);
    });
  });

  it.each([
    [
      'no terminal',
      { tty: false },
      [],
      /Browsing needs a terminal for standard input[^]*cms\s+content\s+list/,
    ],
    ['TERM=dumb', { tty: true, env: { TERM: 'dumb' } }, [], /TERM=dumb\s+cannot[^]*cms\s+content\s+list/],
    ['CI', { tty: true, env: { CI: 'true' } }, [], /neither\s+--json nor CI[^]*cms\s+content\s+list/],
    ['an unknown type', { tty: true }, ['lmap'], /lmap/],
    ['an unknown locale', { tty: true }, ['lamp', '--locale', 'xx'], /There is no locale xx\./],
  ])('refuses %s', async (_what, terminal, argv, message) => {
    const { stderr, exitCode } = await runCommand(Browse, argv, { cwd: site.root, ...terminal });
    expect(stderr).toMatch(message);
    expect(exitCode).not.toBe(0);
  });

  it('is alone in loading what draws it, which is built for production and has its licences', () => {
    const dist = join(packageRoot, 'dist');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.js'),
    );
    const drawing = files.filter((file) =>
      bundledModules(join(dist, file)).some((module) => /node_modules\/(ink|react)\//.test(module)),
    );
    expect(drawing).toHaveLength(1);
    const [chunk = ''] = drawing;
    expect(bundledModules(join(dist, chunk)).filter((module) => /development|devtools/.test(module))).toEqual(
      [],
    );
    const loading = files.filter((file) => readFileSync(join(dist, file), 'utf8').includes(basename(chunk)));
    expect(loading).toEqual([join('commands', 'browse.js')]);
    const licences = readFileSync(join(dist, 'third-party-licences.txt'), 'utf8');
    for (const name of ['ink', 'react', 'react-reconciler', 'yoga-layout'])
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'));
  });
});
