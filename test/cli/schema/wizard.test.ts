import { describe, expect, it } from 'vitest';
import ComponentAdd from '../../../src/commands/component/add.js';
import FieldAdd from '../../../src/commands/field/add.js';
import FieldRename from '../../../src/commands/field/rename.js';
import TypeAdd from '../../../src/commands/type/add.js';
import TypeEdit from '../../../src/commands/type/edit.js';
import TypeShow from '../../../src/commands/type/show.js';
import { answerAll, DOWN } from '../support/answer-all.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { typeFile } from '../support/migrated-project.js';
import { runCommand, runOn } from '../support/run-command.js';
import { createTempProject } from '../support/temp-project.js';
import type { ProjectFiles } from '../support/temp-project.js';

const ESCAPE = '\u001B';
const CTRL_C = '\u0003';
const CLEAR_LINE = '\u0015';

type Answers = readonly (readonly [question: string, keys: string])[];

const SEO: ProjectFiles = {
  'src/components/shared/seo.json': {
    collectionName: 'components_shared_seos',
    info: { displayName: 'Search engines' },
    attributes: { word: { type: 'string' } },
  },
};

/** Answers the questions of a command in a project with two types and a component. */
const answer = async (command: Parameters<typeof runOn>[1], argv: readonly string[], answers: Answers) => {
  const { root } = createTempProject({ ...typeFile('tag'), ...typeFile('author'), ...SEO });
  const terminal = createFakeTerminal({ cwd: root, tty: true, env: { NO_COLOR: '1' } });
  const done = runOn(terminal, command, argv);
  await answerAll(terminal, answers);
  const exitCode = await done;
  const written = terminal
    .out()
    .split('\n')
    .filter((line) => line.startsWith('+'))
    .map((line) => line.slice(1).trim())
    .join(' ');
  return { terminal, exitCode, written };
};

const DRY = ['--dry-run', '--no-migrate'];
const OPTIONS: Answers = [
  ['Kind', '\r'],
  ['Enable drafts and publishing?', '\r'],
  ['Enable several languages?', '\r'],
];
const SAVE: Answers = [
  ['Next attribute', '\r'],
  ['Review', '\r'],
];

describe('names of a new type', () => {
  it.each([
    ['user', 'users', 'people'],
    ['upload', 'upload', 'uploads-of-ours'],
  ])('%s: the reserved %s is refused at the question for the plural', async (name, reserved, plural) => {
    const { exitCode, written } = await answer(TypeAdd, DRY, [
      ['Name of the content-type', `${name}\r`],
      ['Plural, as in the URL', name === reserved ? `${CLEAR_LINE}uploads\r` : '\r'],
      ...((name === reserved ? [] : [[`"${reserved}"`, `${CLEAR_LINE}${plural}\r`]]) as Answers),
      ...OPTIONS,
      ['First attribute', '\r'],
      ['Review', '\r'],
    ]);
    expect(exitCode).toBe(0);
    expect(written).toContain(`"singularName": "${name}"`);
  });

  it('that were given ask for a plural where their own is reserved', async () => {
    const { exitCode, written } = await answer(
      TypeAdd,
      ['user', ...DRY],
      [
        ['Plural, as in the URL', '\r'],
        ['"users"', `${CLEAR_LINE}people\r`],
        ...OPTIONS,
        ['First attribute', '\r'],
        ['Review', '\r'],
      ],
    );
    expect(exitCode).toBe(0);
    expect(written).toContain('"pluralName": "people"');
  });
});

describe('an attribute that cannot be', () => {
  it('is asked for again, with its answers', async () => {
    const { exitCode, written } = await answer(
      FieldAdd,
      ['tag', ...DRY],
      [
        ['Next attribute', 'code\r'],
        ['Type', 'string\r'],
        ['Options', `${DOWN.repeat(8)} \r`],
        ['regex *', '(\r'],
        ['is not a regular expression', `${CLEAR_LINE}^a$\r`],
        ['Next attribute', 'Title\r'],
        ['Type', 'string\r'],
        ['Options', '\r'],
        ['Name *', 'other\r'],
        ['Type', '\r'],
        ['Options', '\r'],
        ...SAVE,
      ],
    );
    expect(exitCode).toBe(0);
    expect(written).toMatch(/"code": \{ "type": "string", "regex": "\^a\$" \}, "other": \{ "type": "string"/);
  });
});

describe('the review', () => {
  it('begins an edit with the present values', async () => {
    const { exitCode, written } = await answer(
      FieldAdd,
      ['tag', ...DRY],
      [
        ['Next attribute', 'colour\r'],
        ['Type', 'enumeration\r'],
        ['Values, separated by commas', 'red, blue\r'],
        ['Options', '\r'],
        ['Next attribute', 'images\r'],
        ['Type', 'media\r'],
        ['Allow several files?', 'y\r'],
        ['File types', `${DOWN} ${DOWN} ${DOWN} \r`],
        ['Options', '\r'],
        ['Next attribute', 'author\r'],
        ['Type', 'relation\r'],
        ['Target type', 'author\r'],
        ['Kind of relation', `${DOWN}${DOWN}\r`],
        ['Add the inverse relation', 'n\r'],
        ['Options', ' \r'],
        ['Next attribute', '\r'],
        ['Review', 'edit colour\r'],
        ['Name', '\r'],
        ['Type', '\r'],
        ['(red, blue)', '\r'],
        ['Options', '\r'],
        ['Review', 'edit images\r'],
        ['Name', 'pictures\r'],
        ['Type', '\r'],
        ['(Y/n)', '\r'],
        ['File types', '\r'],
        ['Options', '\r'],
        ['Review', 'edit author\r'],
        ['Name', '\r'],
        ['Type', '\r'],
        ['Target type', '\r'],
        ['Kind of relation', '\r'],
        ['(y/N)', '\r'],
        ['Options', '\r'],
        ['Review', '\r'],
      ],
    );
    expect(exitCode).toBe(0);
    for (const part of [
      '"colour": { "type": "enumeration", "enum": [ "red", "blue" ] }',
      '"pictures": { "type": "media", "multiple": true, "allowedTypes": [ "images" ] }',
      '"author": { "type": "relation", "relation": "manyToMany", ' +
        '"target": "api::author.author", "required": true',
    ])
      expect(written).toContain(part);
  });

  it('edits the names and options of the type, which relations to itself follow', async () => {
    const { exitCode, written } = await answer(TypeAdd, DRY, [
      ['Name of the content-type', 'Recipe\r'],
      ['Plural, as in the URL', '\r'],
      ...OPTIONS,
      ['First attribute', 'similar\r'],
      ['Type', 'relation\r'],
      ['Target type', 'recipe\r'],
      ['Kind of relation', `${DOWN}${DOWN}\r`],
      ['Add the inverse relation', 'n\r'],
      ['Options', '\r'],
      ['Next attribute', '\r'],
      ['Review', 'edit name\r'],
      ['(Recipe)', 'Dish\r'],
      ['Review', 'edit plural\r'],
      ['(recipes)', 'dishes\r'],
      ['Review', 'edit drafts\r'],
      ['Enable drafts and publishing?', 'y\r'],
      ['drafts: yes', '\r'],
    ]);
    expect(exitCode).toBe(0);
    expect(written).toContain('"singularName": "dish", "pluralName": "dishes"');
    expect(written).toContain('"draftAndPublish": true');
    expect(written).toContain('"target": "api::dish.dish"');
  });
});

describe('a type that is made within a relation', () => {
  it.each([
    ['\r', false],
    ['y\r', true],
  ])('has drafts only where they are asked for: %j', async (keys, draftAndPublish) => {
    const { written } = await answer(
      FieldAdd,
      ['tag', ...DRY],
      [
        ['Next attribute', 'shop\r'],
        ['Type', 'relation\r'],
        ['Target type', 'a new\r'],
        ['Name of the new type', 'Shop\r'],
        ['Its plural', '\r'],
        ['Its first attribute', 'id\r'],
        ['id is reserved', `${CLEAR_LINE}\r`],
        ['Enable drafts and publishing for shops?', keys],
        ['Kind of relation', '\r'],
        ['Add the inverse relation', 'n\r'],
        ['Options', '\r'],
        ...SAVE,
      ],
    );
    expect(written).toContain(`"draftAndPublish": ${String(draftAndPublish)}`);
  });
});

describe('components', () => {
  it('are offered no indexes, which have no effect in them', async () => {
    const { terminal, exitCode } = await answer(
      ComponentAdd,
      ['shared.link', ...DRY],
      [['First attribute', 'label\r'], ['Type', 'string\r'], ['Options', '\r'], ...SAVE],
    );
    expect(exitCode).toBe(0);
    expect(terminal.err()).not.toMatch(/◯ (?:index|search)/);
    const ofType = await answer(
      FieldAdd,
      ['tag', ...DRY],
      [['Next attribute', 'label\r'], ['Type', 'string\r'], ['Options', '\r'], ...SAVE],
    );
    expect(ofType.terminal.err()).toMatch(/◯ index/);
  });
});

describe('a missing argument', () => {
  it('is offered as a choice, and Escape goes back to it from the questions after it', async () => {
    const { exitCode, written } = await answer(FieldAdd, DRY, [
      ['Which type?', 'author\r'],
      ['Next attribute', ESCAPE],
      ['Which type?', 'shared.seo\r'],
      ['Next attribute', 'label\r'],
      ['Type', 'string\r'],
      ['Options', '\r'],
      ...SAVE,
    ]);
    expect(exitCode).toBe(0);
    expect(written).toContain('src/components/shared/seo.json');
  });

  it('is a choice also for commands that ask nothing else, which Ctrl-C leaves without a word', async () => {
    const shown = await answer(TypeShow, [], [['Which type?', 'author\r']]);
    expect(shown.exitCode).toBe(0);
    expect(shown.terminal.out()).toContain('api::author.author');
    expect(shown.terminal.err()).not.toContain('Esc goes back');
    const left = await answer(TypeEdit, [], [['Which type?', CTRL_C]]);
    expect(left.exitCode).toBe(130);
    expect(left.terminal.err()).not.toContain('Nothing was written');
  });

  it('is checked where it is typed', async () => {
    const { exitCode, written } = await answer(FieldRename, DRY, [
      ['Which type?', 'tag\r'],
      ['Which old?', '\r'],
      ['New name', 'id\r'],
      ['reserved', `${CLEAR_LINE}label\r`],
    ]);
    expect(exitCode).toBe(0);
    expect(written).toContain('"label": {');
  });

  it('says where there is nothing to choose', async () => {
    const { root } = createTempProject();
    const { exitCode, stderr } = await runCommand(TypeShow, [], {
      cwd: root,
      tty: true,
      env: { NO_COLOR: '1' },
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'Missing <type>: there is no content-type to choose.\nHint: Create one with: cms type add',
    );
  });

  it('stays an error without a terminal, and is called type', async () => {
    const { root } = createTempProject(typeFile('tag'));
    const { exitCode, stderr } = await runCommand(FieldRename, [], { cwd: root });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr:
        'Error: Missing <type> and <old> and <new>.\nHint: Usage: cms field rename <type> <old> <new>\n',
    });
  });
});
