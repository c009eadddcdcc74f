import { normalizeArgv } from '@oclif/core/help';
import { settings } from '@oclif/core/settings';
import { CliConfig } from './cli-config.js';
import type { Outcome } from './outcome.js';
import { isOclifError } from './parse-errors.js';
import { reportError } from './report.js';
import type { ReportOptions } from './report.js';
import { writeText } from './terminal.js';
import type { Terminal } from './terminal.js';

const HELP_FLAGS: ReadonlySet<string> = new Set(['--help', '-h']);

const beforeDashes = (argv: readonly string[]): readonly string[] => {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
};

/** `cms --json type list` means `cms type list --json`, and `cms help type` means `cms type --help`. */
const inOrder = (argv: readonly string[]): string[] => {
  const first = argv.findIndex((word) => !word.startsWith('-'));
  const ordered = first <= 0 ? [...argv] : [...argv.slice(first), ...argv.slice(0, first)];
  return ordered[0] === 'help' ? [...ordered.slice(1), '--help'] : ordered;
};

const asksForHelp = (words: readonly string[]): boolean => beforeDashes(words).some((word) => HELP_FLAGS.has(word));

const withoutHelpFlags = (words: readonly string[]): string[] => words.filter((word) => !HELP_FLAGS.has(word));

/** Help is a result like any other: text, or a document with `--json`. */
const showHelp = async (config: CliConfig, id: string): Promise<Outcome> => {
  const { CliHelp } = await import('./help.js');
  const { describeHelp } = await import('./help-document.js');
  return { json: describeHelp(config.commands, id), text: await new CliHelp(config).print(id) };
};

const dispatch = async (config: CliConfig, words: readonly string[]): Promise<Outcome> => {
  const help = asksForHelp(words);
  const plain = help ? withoutHelpFlags(words) : [...words];
  if (plain.every((word) => word.startsWith('-'))) return showHelp(config, '');
  const [id = '', ...rest] = normalizeArgv(config, plain);
  const command = config.findCommand(id);
  const topic = command === undefined && config.findTopic(id) !== undefined && rest.every((word) => word.startsWith('-'));
  if (topic || (help && command !== undefined)) return showHelp(config, id);
  return config.runCommand<Outcome>(id, rest, command ?? null);
};

const reportOptions = (argv: readonly string[]): ReportOptions =>
  ({ json: beforeDashes(argv).includes('--json'), color: !beforeDashes(argv).includes('--no-color') });

/** Reports an error that nobody was waiting for, and answers the exit code. */
export function reportCrash(error: unknown, argv: readonly string[], terminal: Terminal): number {
  return reportError(error, terminal, reportOptions(argv));
}

/** Awaits a command's outcome and prints it, or the error, in the form asked for; answers the exit code. Never throws. */
export async function settle(terminal: Terminal, argv: readonly string[], work: () => Promise<Outcome>): Promise<number> {
  const options = reportOptions(argv);
  try {
    const outcome = await work();
    writeText(terminal.stdout, options.json ? JSON.stringify(outcome.json, null, 2) : outcome.text ?? '');
    await outcome.running;
    return outcome.exitCode ?? 0;
  } catch (error) {
    if (isOclifError(error) && 'code' in error && error.code === 'EEXIT') return error.oclif.exit ?? 1;
    return reportError(error, terminal, options);
  }
}

/**
 * Runs one command line from beginning to end.
 *
 * @param root the package's folder, which holds package.json and oclif.manifest.json
 * @param argv the words after `cms`
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage, 3 refused because data would be lost, 4 migrations pending
 */
export function runCli(root: string, argv: readonly string[], terminal: Terminal): Promise<number> {
  return settle(terminal, argv, async () => {
    // oclif would look for TypeScript sources whenever NODE_ENV is development or test.
    settings.tsnodeEnabled = false;
    const config = new CliConfig({ root }, terminal);
    await config.load();
    return dispatch(config, inOrder(argv));
  });
}
