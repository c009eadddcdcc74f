import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentList from '../../../src/commands/content/list.js';
import ContentShow from '../../../src/commands/content/show.js';
import PermissionsSet from '../../../src/commands/permissions/set.js';
import RoleCreate from '../../../src/commands/role/create.js';
import TokenCreate from '../../../src/commands/token/create.js';
import UserCreate from '../../../src/commands/user/create.js';
import UserShow from '../../../src/commands/user/show.js';
import { answerAll, DOWN } from '../support/answer-all.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { createSharedSite, typeFile } from '../support/migrated-project.js';
import { runCommand, runOn } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const ESCAPE = '\u001B';
const CTRL_C = '\u0003';
const CTRL_O = '\u000F';
const CLEAR_LINE = '\u0015';

/** Without drafts, so that every write publishes. */
const SHOP = {
  kind: 'collectionType',
  collectionName: 'shops',
  info: { singularName: 'shop', pluralName: 'shops', displayName: 'Shop' },
  options: { draftAndPublish: false },
  attributes: {
    title: { type: 'string', required: true },
    code: { type: 'string', unique: true, regex: '^[a-z]+$' },
    opens: { type: 'time' },
    summary: { type: 'text' },
    tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag', required: true },
  },
};

const ifVideo = { conditions: { visible: { '==': [{ var: 'kind' }, 'video'] } } };
const kind = { type: 'enumeration', enum: ['text', 'video'], required: true };

/** Shows attributes for videos alone: one that stands before what the condition reads, a link and parts. */
const CLIP = {
  kind: 'collectionType',
  collectionName: 'clips',
  info: { singularName: 'clip', pluralName: 'clips', displayName: 'Clip' },
  attributes: {
    seconds: { type: 'integer', required: true, ...ifVideo },
    kind,
    caption: { type: 'string', ...ifVideo },
    tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag', required: true, ...ifVideo },
    part: { type: 'component', component: 'shared.part', required: true },
    parts: { type: 'component', component: 'shared.part', repeatable: true, required: true, ...ifVideo },
  },
};

const PART = {
  collectionName: 'components_shared_parts',
  info: { displayName: 'Part' },
  attributes: { kind, length: { type: 'integer', required: true, ...ifVideo } },
};

let site: TempProject;

beforeAll(async () => {
  site = await createSharedSite({
    'src/api/shop/content-types/shop/schema.json': SHOP,
    'src/api/clip/content-types/clip/schema.json': CLIP,
    'src/components/shared/part.json': PART,
    ...typeFile('tag'),
    ...typeFile('article', { draftAndPublish: true }),
  });
  await runCommand(ContentCreate, ['tag', '--set', 'title=red'], { cwd: site.root });
});

type Answers = readonly (readonly [question: string, keys: string])[];

const answer = async (
  command: Parameters<typeof runOn>[1],
  argv: readonly string[],
  answers: Answers,
  env: Readonly<Record<string, string>> = {},
) => {
  const terminal = createFakeTerminal({ cwd: site.root, tty: true, env: { NO_COLOR: '1', ...env } });
  const done = runOn(terminal, command, argv);
  await answerAll(terminal, answers);
  return { exitCode: await done, out: terminal.out().trim(), err: terminal.err() };
};

const show = async (type: string, documentId: string): Promise<unknown> => {
  const shown = await runCommand(ContentShow, [type, documentId, '--json'], { cwd: site.root });
  return shown.json<{ readonly document: unknown }>().document;
};

describe('cms content create', () => {
  it('checks each answer at its question, goes back with Escape, and shows a review', async () => {
    const { exitCode, out, err } = await answer(
      ContentCreate,
      [],
      [
        ['Which type?', 'shop\r'],
        ['title *', '\r'],
        ['A value is needed.', 'Corner\r'],
        ['code', ESCAPE],
        ['(Corner)', 'Corner shop\r'],
        ['code', 'UPPER\r'],
        ['must match', `${CLEAR_LINE}corner\r`],
        ['opens (10:30)', '25:00\r'],
        ['must be a time', `${CLEAR_LINE}9:30\r`],
        ['summary (Ctrl-O: editor)', 'One line.\r'],
        ['tag *: type to search', '\r'],
        ['title: Corner shop', 'edit summary\r'],
        ['(One line.)', 'Another line.\r'],
        ['summary: Another line.', '\r'],
      ],
    );
    expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
    expect(err).not.toMatch(/\n\? tag \*: type to search\s+❯ None/);
    expect(await show('shop', out)).toMatchObject({
      title: 'Corner shop',
      code: 'corner',
      opens: '09:30:00.000',
      summary: 'Another line.',
      tag: { title: 'red' },
    });
    const taken = await answer(
      ContentCreate,
      ['shop'],
      [
        ['title *', 'Two\r'],
        ['code', 'corner\r'],
        ['another document has this value', CTRL_C],
      ],
    );
    expect(taken.exitCode).toBe(130);
    expect(taken.err).toContain('Nothing was written. Discarded: a new shop with title.\n');
  });

  it('asks for what the answers show by its condition, and requires it there', async () => {
    const text = await answer(
      ContentCreate,
      ['clip'],
      [
        ['kind *', 'text\r'],
        ['part.kind *', 'text\r'],
        ['part: ', '\r'],
      ],
    );
    expect({ ...text, err: '' }).toMatchObject({ exitCode: 0 });
    for (const hidden of ['seconds', 'caption', 'tag', 'length', 'parts'])
      expect(text.err).not.toContain(hidden);
    const video = await answer(
      ContentCreate,
      ['clip'],
      [
        ['kind *', 'text\r'],
        ['part.kind *', 'video\r'],
        ['part.length *', '\r'],
        ['A value is needed.', '5\r'],
        ['Review', 'edit kind\r'],
        ['kind *', 'video\r'],
        ['seconds *', '\r'],
        ['A value is needed.', '9\r'],
        ['caption', '\r'],
        ['tag *: type to search', '\r'],
        ['parts: add an item *', '\r'],
        ['parts.0.kind *', 'text\r'],
        ['parts: add an item', 'No more\r'],
        ['seconds: 9', '\r'],
      ],
    );
    expect(video, video.err).toMatchObject({ exitCode: 0 });
    expect(await show('clip', video.out)).toMatchObject({
      kind: 'video',
      seconds: 9,
      tag: { title: 'red' },
      part: { kind: 'video', length: 5 },
      parts: [{ kind: 'text', length: null }],
    });
  });

  it('opens the editor for a text where its key is pressed, with what was typed', async () => {
    const editor = join(site.root, 'editor.mjs');
    writeFileSync(
      editor,
      "import { readFileSync, writeFileSync } from 'node:fs';\n" +
        "writeFileSync(process.argv[2], readFileSync(process.argv[2], 'utf8') + '\\nTwo.\\n');\n",
    );
    const { exitCode, out } = await answer(
      ContentCreate,
      ['shop'],
      [
        ['title *', 'Edited\r'],
        ['code', '\r'],
        ['opens', '\r'],
        ['summary', 'One.'],
        ['One.', CTRL_O],
        ['tag *', '\r'],
        ['Review', '\r'],
      ],
      { EDITOR: `${process.execPath} ${editor}`, PATH: process.env['PATH'] ?? '' },
    );
    expect(exitCode).toBe(0);
    expect(await show('shop', out)).toMatchObject({ summary: 'One.\nTwo.' });
    expect(readdirSync(join(site.root, '.galley', 'edits'))).toEqual([]);
  });

  it('takes times without seconds as flags and in filters, too', async () => {
    const created = await runCommand(
      ContentCreate,
      ['shop', '--set', 'title=Early', '--set', 'opens=7:15', '--set', 'tag:=null'],
      { cwd: site.root },
    );
    const json = ['shop', '--set', 'title=Early', '--set', 'opens:="07:15"', '--set', 'tag='];
    const byJson = await runCommand(ContentCreate, json, { cwd: site.root });
    expect([created.stderr, byJson.stderr].join('')).toContain('tag');
    const tags = await runCommand(ContentList, ['tag', '--json'], { cwd: site.root });
    const [tag] = tags.json<{ documents: readonly { documentId: string }[] }>().documents;
    for (const opens of ['opens=7:15', 'opens:="07:15"']) {
      const argv = ['shop', '--set', 'title=Early', '--set', opens, '--set', `tag=${tag?.documentId ?? ''}`];
      const { exitCode, stdout } = await runCommand(ContentCreate, argv, { cwd: site.root });
      expect(exitCode).toBe(0);
      expect(await show('shop', stdout.trim())).toMatchObject({ opens: '07:15:00.000' });
    }
    const early = await runCommand(
      ContentList,
      ['shop', '--filter', 'opens=7:15', '--filter', 'opens:in=7:15,8:00', '--format', 'count'],
      { cwd: site.root },
    );
    expect(early.stdout.trim()).toBe('2');
  });
});

describe('cms content show', () => {
  it('offers types, then documents, which are searched by typing', async () => {
    const { exitCode, out } = await answer(
      ContentShow,
      [],
      [
        ['Which type?', 'tag\r'],
        ['Which document? Type to search', 're'],
        ['red', '\r'],
      ],
    );
    expect(exitCode).toBe(0);
    expect(out).toContain('red');
  });
});

describe('accounts', () => {
  it('a user is checked answer by answer, and reviewed', async () => {
    const first: Answers = [
      ['Name *', 'ann\r'],
      ['E-mail address *', 'ann\r'],
      ['must be', `${CLEAR_LINE}ann@example.com\r`],
      ['Password *', '123\r'],
      ['must be', `${CLEAR_LINE}secret123\r`],
      ['Role', '\r'],
      ['name: ann', 'edit name\r'],
      ['(ann)', 'anna\r'],
      ['name: anna', '\r'],
    ];
    const made = await answer(UserCreate, [], first);
    expect({ exitCode: made.exitCode, out: made.out }).toEqual({
      exitCode: 0,
      out: 'Created the user anna.',
    });
    expect(made.err).not.toContain('secret123');
    const second = await answer(
      UserCreate,
      [],
      [
        ['Name *', 'anna\r'],
        ['already taken', `${CLEAR_LINE}bob\r`],
        ['E-mail address *', 'ANN@example.com\r'],
        ['already taken', CTRL_C],
      ],
    );
    expect(second.exitCode).toBe(130);
    expect(second.err).toContain('Nothing was written. Discarded: the user bob.\n');
    const shown = await answer(UserShow, [], [['Which user?', 'anna\r']]);
    expect(shown.out).toContain('ann@example.com');
  });

  it('so are a role and a token', async () => {
    const role = await answer(
      RoleCreate,
      [],
      [
        ['Name *', 'Public\r'],
        ['There is already a role', `${CLEAR_LINE}Editors\r`],
        ['Name in commands *', 'public\r'],
        ['There is already a role', `${CLEAR_LINE}editor\r`],
        ['Description', '\r'],
        ['name in commands: editor', '\r'],
      ],
    );
    expect(role.out).toBe('Created the role editor, Editors.');
    await runCommand(TokenCreate, ['--name', 'ci', '--type', 'read-only'], { cwd: site.root });
    const token = await answer(
      TokenCreate,
      [],
      [
        ['Name *', 'ci\r'],
        ['already', `${CLEAR_LINE}preview\r`],
        ['What may it do?', `${DOWN.repeat(3)}\r`],
        ['Drafts of which types? *', ' \r'],
        ['For how long?', '\r'],
        ['valid for: 1h', '\r'],
      ],
    );
    expect(token.exitCode).toBe(0);
    expect(token.out).not.toBe('');
  });

  it('permissions are reviewed, and edited with the ticks so far', async () => {
    const { exitCode, out, err } = await answer(
      PermissionsSet,
      ['public', 'tag'],
      [
        ['What may public do?', ' \r'],
        ['+ api::tag.tag.find', 'edit\r'],
        ['›[x] find', '\u001B[C \r'],
        ['+ api::tag.tag.findOne', '\r'],
      ],
    );
    expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
    expect(out).toBe('+ api::tag.tag.find\n+ api::tag.tag.findOne');
    expect(existsSync(site.root)).toBe(true);
  });
});
