import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { parse } from '@oclif/core/parser';
import { describe, expect, it } from 'vitest';
import { isOclifError } from '../../../src/cli/parse-arguments.js';

/**
 * oclif does not export its parser's error classes. `parse-errors.ts` therefore reads their names, their
 * `flags` and `args`, and one message. These tests fail when a new version of oclif changes one of them.
 */
const parserError = async (argv: string[]): Promise<Error> => {
  const input = {
    args: { who: Args.string({ required: true, options: ['ada', 'grace'] }) },
    flags: { tone: Flags.string({ options: ['formal', 'friendly'] }) },
    strict: true,
  };
  const error: unknown = await parse(argv, input).catch((thrown: unknown) => thrown);
  if (!(error instanceof Error)) throw new TypeError('The parser accepted the command line.');
  return error;
};

describe("oclif's parser errors", () => {
  it('carry their exit code under `oclif`', async () => {
    expect(isOclifError(await parserError(['ada', '--loud']))).toBe(true);
    expect(isOclifError(new TypeError('x'))).toBe(false);
  });

  it('name unknown flags in NonExistentFlagsError.flags', async () => {
    const error = await parserError(['ada', '--loud']);
    expect(error.constructor.name).toBe('NonExistentFlagsError');
    expect(error).toMatchObject({ flags: ['--loud'] });
  });

  it('name missing arguments in RequiredArgsError.args', async () => {
    const error = await parserError([]);
    expect(error.constructor.name).toBe('RequiredArgsError');
    expect(error).toMatchObject({ args: [{ name: 'who' }] });
  });

  it('name surplus arguments in UnexpectedArgsError.args', async () => {
    const error = await parserError(['ada', 'grace']);
    expect(error.constructor.name).toBe('UnexpectedArgsError');
    expect(error).toMatchObject({ args: ['grace'] });
  });

  it('state the known values of a flag and of an argument in the message', async () => {
    expect((await parserError(['ada', '--tone', 'rude'])).message).toMatch(
      /^Expected --tone=rude to be one of: formal, friendly\nSee more help with --help$/,
    );
    expect((await parserError(['bob'])).message).toMatch(
      /^Expected bob to be one of: ada, grace\nSee more help with --help$/,
    );
  });
});
