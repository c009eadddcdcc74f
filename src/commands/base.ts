import { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import type {
  ArgInput, FlagInput, InferredArgs, InferredFlags, Input, LoadOptions, OutputArgs, OutputFlags, ParserOutput,
} from '@oclif/core/interfaces';
import { findProjectRoot } from '../config/find-project-root.js';
import { fail } from '../errors/catalogue.js';
import { CliConfig } from './support/cli-config.js';
import type { CompletionKinds } from './support/completion/kinds.js';
import { assertConfirmed, assertLossAccepted } from './support/consent.js';
import type { Loss } from './support/consent.js';
import { globalFlags } from './support/flags.js';
import type { Outcome } from './support/outcome.js';
import { translateParseError } from './support/parse-errors.js';
import { withProgress } from './support/progress.js';
import type { Progress } from './support/progress.js';
import { promptOr } from './support/prompts.js';
import type { Ask } from './support/prompts.js';
import { readSecret } from './support/secret.js';
import { styleFor } from './support/style.js';
import type { Style } from './support/style.js';
import { isInteractive, wantsColor, writeText } from './support/terminal.js';
import type { OutputStream, Terminal } from './support/terminal.js';
import { parsableArgs } from './support/variadic.js';

export type CommandFlags<T extends typeof Command> = InferredFlags<(typeof BaseCommand)['baseFlags'] & T['flags']>;
export type CommandArgs<T extends typeof Command> = InferredArgs<T['args']>;

/**
 * What every command shares. A command states `description`, `examples`, `args` and `flags`, and implements `run`, which returns
 * an {@link Outcome} instead of printing: stdout then carries the result and nothing else, as text or as the one document of `--json`.
 *
 * @example
 * export default class TypeShow extends BaseCommand<typeof TypeShow> {
 *   static override description = 'Show one content-type.';
 *   static override examples = ['<%= config.bin %> <%= command.id %> article'];
 *   static override args = { uid: Args.string({ required: true }) };
 *   async run(): Promise<Outcome> { … }
 * }
 */
export abstract class BaseCommand<T extends typeof Command> extends Command {
  static override baseFlags = globalFlags;
  /** What the shell offers for an argument's or a flag's value, by its name. */
  static completion: CompletionKinds = {};

  protected args!: CommandArgs<T>;
  protected flags!: CommandFlags<T>;

  /** oclif's own would load the configuration a second time, and lose the terminal that the first one carries. */
  static override async run<C extends Command>(this: new (argv: string[], config: Config) => C, argv: string[] = [], options?: LoadOptions): Promise<ReturnType<C['run']>> {
    if (!(options instanceof CliConfig)) throw new TypeError('Commands run with a CliConfig, which carries the terminal.');
    const command: unknown = new this(argv, options);
    if (!(command instanceof BaseCommand)) throw new TypeError('Not a command of this program.');
    return command._run();
  }

  /** Does the command's work. Text for people goes to stderr through `info`, `warn` and `progress` on the way. */
  abstract override run(): Promise<Outcome>;

  override async init(): Promise<void> {
    const { args, flags } = await this.parse(this.ctor);
    this.args = args as CommandArgs<T>;
    this.flags = flags as CommandFlags<T>;
  }

  protected get terminal(): Terminal {
    if (this.config instanceof CliConfig) return this.config.terminal;
    throw new TypeError('Commands run with a CliConfig, which carries the terminal.');
  }

  /** Questions may be asked: stdin and stderr are terminals, and neither `--yes` nor `CI` is set. */
  protected get canPrompt(): boolean {
    return this.flags['yes'] !== true && isInteractive(this.terminal);
  }

  /** For text that becomes the result on stdout. */
  protected get style(): Style {
    return this.styleOn(this.terminal.stdout);
  }

  /** The project's folder, found by walking up. Throws `cli/no-project`. */
  protected get projectRoot(): string {
    const folder = this.terminal.cwd;
    const root = findProjectRoot(folder);
    if (root === undefined) throw fail('cli/no-project', { folder });
    return root;
  }

  protected info(message: string): void {
    writeText(this.terminal.stderr, message);
  }

  override warn(input: Error | string): Error | string {
    const message = typeof input === 'string' ? input : input.message;
    writeText(this.terminal.stderr, `${this.styleOn(this.terminal.stderr).yellow('Warning:')} ${message}`);
    return input;
  }

  /** Shows on stderr that long work goes on. */
  protected progress<R>(label: string, work: (progress: Progress) => Promise<R>): Promise<R> {
    return withProgress(this.terminal.stderr, this.styleOn(this.terminal.stderr), label, work);
  }

  /**
   * A value from its flag, else asked for, else the fallback, else an error naming the flag.
   * An argument is named in angle brackets: `<dir>`.
   */
  protected promptOr<V>(name: string, value: V | undefined, ask: Ask<V>, fallback?: V): Promise<V> {
    const source = { name, value, ask, ...(fallback === undefined ? {} : { fallback }) };
    return promptOr(this.terminal, this.canPrompt, source);
  }

  /** A secret declared with `secretFlags(name)`: flag, standard input, file or masked question. */
  protected secret(name: string, message: string): Promise<string> {
    return readSecret(this.terminal, this.canPrompt, { name, message, flags: this.flags });
  }

  /** Asks before a routine step; `--yes` is a yes. */
  protected confirm(question: string): Promise<void> {
    return assertConfirmed(this.terminal, question, this.flags['yes'] === true, this.canPrompt);
  }

  /** Stops with exit code 3 unless the caller, having read what is lost, accepts it. The command declares `acceptDataLossFlag`. */
  protected acceptLoss(losses: readonly Loss[]): Promise<void> {
    const accepted: unknown = this.flags['accept-data-loss'];
    const options = { canPrompt: this.canPrompt, style: this.styleOn(this.terminal.stderr) };
    return assertLossAccepted(this.terminal, losses, accepted === true, options);
  }

  /** Results are printed by whoever runs the command, once, so oclif must print none. */
  override jsonEnabled(): boolean {
    return false;
  }

  /** Errors are reported by whoever runs the command; oclif would set the process's exit code here. */
  protected override async catch(error: Error): Promise<never> {
    throw error;
  }

  protected override async parse<F extends OutputFlags<FlagInput>, B extends OutputFlags<FlagInput>, A extends OutputArgs<ArgInput>>(
    input: Input<F, B, A> = this.ctor as unknown as Input<F, B, A>,
    argv: string[] = this.argv,
  ): Promise<ParserOutput<F, B, A>> {
    // oclif fills missing arguments from piped input, which would swallow what `-` is meant to read.
    const { args, takesMore, gather } = parsableArgs(Object.fromEntries(Object.entries(input.args ?? {}).map(([name, arg]) => [name, { ...arg, ignoreStdin: true }])));
    try {
      const statics = this.#grammarStatics();
      return gather(await super.parse<F, B, A>({ ...input, ...statics, strict: statics.strict && !takesMore, args } as Input<F, B, A>, argv));
    } catch (error) {
      throw translateParseError(error, this.#grammar());
    }
  }

  /** Statics are inherited, which spreading a class misses. */
  #grammarStatics(): Pick<typeof Command, 'baseFlags' | 'flags' | 'strict'> {
    return { baseFlags: this.ctor.baseFlags, flags: this.ctor.flags, strict: this.ctor.strict };
  }

  #grammar(): Parameters<typeof translateParseError>[1] {
    const { args, flags, baseFlags, id } = this.ctor;
    return {
      id,
      flagNames: Object.keys({ ...baseFlags, ...flags }),
      args: Object.entries(args).map(([name, arg]) => ({ name, required: arg.required === true, multiple: arg.multiple === true })),
    };
  }

  protected styleOn(stream: OutputStream): Style {
    const off = this.flags['no-color'] === true;
    return styleFor(!off && wantsColor(this.terminal, stream));
  }
}
