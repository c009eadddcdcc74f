/**
 * The room cli supports the commands of src/commands. This file dispatches a command line; base-command.ts is
 * the base class of all commands.
 */
import { normalizeArgv } from '@oclif/core/help';
import { settings } from '@oclif/core/settings';
import { CliConfig, withConsoleOnStderr, writeText } from './terminal/terminal.js';
import type { Terminal } from './terminal/terminal.js';
import type { Outcome } from './outcome.js';
import { assertRootFlags, isOclifError } from './parse-arguments.js';
import type { ReportOptions } from './terminal/report-error.js';

const HELP_FLAGS: ReadonlySet<string> = new Set(['--help', '-h']);

const wordsBeforeTerminator = (argv: readonly string[]): readonly string[] => {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
};

/**
 * Moves leading flags after the command (`cms --json type list`), and converts `cms help type` to
 * `cms type --help`.
 */
const reorderArgv = (argv: readonly string[]): string[] => {
  const first = argv.findIndex((word) => !word.startsWith('-'));
  const ordered = first <= 0 ? [...argv] : [...argv.slice(first), ...argv.slice(0, first)];
  return ordered[0] === 'help' ? [...ordered.slice(1), '--help'] : ordered;
};

const hasHelpFlag = (words: readonly string[]): boolean =>
  wordsBeforeTerminator(words).some((word) => HELP_FLAGS.has(word));

const withoutHelpFlags = (words: readonly string[]): string[] =>
  words.filter((word) => !HELP_FLAGS.has(word));

/** Returns help as an outcome: text, or a document for `--json`. */
const showHelp = async (config: CliConfig, id: string): Promise<Outcome> => {
  const { CliHelp, describeHelp } = await import('./help.js');
  return { json: describeHelp(config.commands, id), text: await new CliHelp(config).print(id) };
};

const dispatch = async (config: CliConfig, words: readonly string[]): Promise<Outcome> => {
  const isHelp = hasHelpFlag(words);
  const commandWords = isHelp ? withoutHelpFlags(words) : [...words];
  if (commandWords.every((word) => word.startsWith('-'))) {
    assertRootFlags('', commandWords);
    return showHelp(config, '');
  }
  const [id = '', ...rest] = normalizeArgv(config, commandWords);
  const command = config.findCommand(id);
  const isTopic =
    command === undefined && config.findTopic(id) !== undefined && rest.every((word) => word.startsWith('-'));
  if (isTopic) assertRootFlags(id, rest);
  if (isTopic || (isHelp && command !== undefined)) return showHelp(config, id);
  return config.runCommand<Outcome>(id, rest, command ?? null);
};

const reportOptions = (argv: readonly string[]): ReportOptions => ({
  json: wordsBeforeTerminator(argv).includes('--json'),
  color: !wordsBeforeTerminator(argv).includes('--no-color'),
});

/** Reports an uncaught error and returns the exit code. */
export async function reportCrash(
  error: unknown,
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { reportError } = await import('./terminal/report-error.js');
  return reportError(error, terminal, reportOptions(argv));
}

/** Awaits a command's outcome, prints it or the error, and returns the exit code. Never throws. */
export async function runAndReport(
  terminal: Terminal,
  argv: readonly string[],
  work: () => Promise<Outcome>,
): Promise<number> {
  const options = reportOptions(argv);
  try {
    const outcome = await withConsoleOnStderr(work);
    writeText(terminal.stdout, options.json ? JSON.stringify(outcome.json, null, 2) : (outcome.text ?? ''));
    await outcome.running;
    return outcome.exitCode ?? 0;
  } catch (error) {
    if (isOclifError(error) && 'code' in error && error.code === 'EEXIT') return error.oclif.exit ?? 1;
    // Loaded on demand, since help and most commands need neither text wrapping nor the configuration.
    const { describeSystemError } = await import('../project/system-errors.js');
    const { reportError } = await import('./terminal/report-error.js');
    return reportError(await describeSystemError(error, terminal.cwd), terminal, options);
  }
}

/**
 * Runs one command line.
 *
 * @param root the package's folder, which holds package.json and oclif.manifest.json
 * @param argv the words after `cms`
 * @returns the exit code: 0 success, 1 failure, 2 wrong usage, 3 data would be lost, 4 migrations pending
 */
export function runCli(root: string, argv: readonly string[], terminal: Terminal): Promise<number> {
  return runAndReport(terminal, argv, async () => {
    // Otherwise oclif looks for TypeScript sources if NODE_ENV is development or test.
    settings.tsnodeEnabled = false;
    const config = new CliConfig({ root }, terminal);
    await config.load();
    return dispatch(config, reorderArgv(argv));
  });
}
