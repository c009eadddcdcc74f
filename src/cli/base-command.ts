import { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import type { ArgInput, InferredArgs, InferredFlags, LoadOptions } from '@oclif/core/interfaces';
import { findProjectRoot } from '../config/project-root.js';
import { createError } from '../errors/catalogue.js';
import type { CompletionKinds } from './completion/command-spec.js';
import type { AcceptedImpact, DataImpact } from '../migrations/impact/data-impact.js';
import { assertConfirmed, assertDataLossConfirmed, confirmImpact } from './prompts/confirmation.js';
import type { DataLoss } from './prompts/confirmation.js';
import { CliConfig, isInteractive, styleFor, wantsColor, writeText } from './terminal/terminal.js';
import type { OutputStream, Style, Terminal } from './terminal/terminal.js';
import { globalFlags } from './flags.js';
import type { Outcome } from './outcome.js';
import { isMissingArgument, prepareVariadicArgs, translateParseError } from './parse-arguments.js';
import { withProgress } from './terminal/progress.js';
import type { Progress } from './terminal/progress.js';
import type { ArgumentQuestion } from './prompts/argument-questions.js';
import { createPrompter, promptIfMissing } from './prompts/prompt.js';
import type { Prompter, Question, Validate, Validity } from './prompts/prompt.js';
import { readSecret } from './prompts/secret.js';
import { runWizard } from './prompts/wizard.js';
import type { Wizard } from './prompts/wizard.js';
import { spellCommands, wrapMessage } from './terminal/text-layout.js';

export type CommandFlags<T extends typeof Command> = InferredFlags<
  (typeof BaseCommand)['baseFlags'] & T['flags']
>;
export type CommandArgs<T extends typeof Command> = InferredArgs<T['args']>;

/**
 * The base class of every command. A command declares `description`, `examples`, `args` and `flags`, and
 * implements `run`, which returns an {@link Outcome} instead of printing. This way stdout carries the result
 * only, as text or as one JSON document (`--json`).
 *
 * @example
 *   export default class TypeShow extends BaseCommand<typeof TypeShow> {
 *   static override description = 'Show one content-type.';
 *   static override examples = ['<%= config.bin %> <%= command.id %> article'];
 *   static override args = { type: Args.string({ required: true }) };
 *   static override completion = { type: 'type' } as const;
 *   async run(): Promise<Outcome> { … }
 *   }
 */
export abstract class BaseCommand<T extends typeof Command> extends Command {
  static override baseFlags = globalFlags;
  /** The kind of names that completion offers for an argument or a flag, by its name. */
  static completion: CompletionKinds = {};

  protected args!: CommandArgs<T>;
  protected flags!: CommandFlags<T>;
  /** Answers to questions for missing arguments. A wizard may ask them again. */
  readonly #answers: unknown[] = [];
  #missingArgs: readonly ArgumentQuestion[] = [];

  /**
   * Creates and runs a command. The `run` of oclif would load the configuration again and lose the terminal,
   * and would print results and set the exit code, which `runAndReport` does.
   */
  static override async run<C extends Command>(
    this: new (argv: string[], config: Config) => C,
    argv: string[] = [],
    options?: LoadOptions,
  ): Promise<ReturnType<C['run']>> {
    if (!(options instanceof CliConfig))
      throw new TypeError('Commands need a CliConfig, which carries the terminal.');
    const command: Command = new this(argv, options);
    if (!(command instanceof BaseCommand)) throw new TypeError('Commands must extend BaseCommand.');
    await command.init();
    return command.run() as ReturnType<C['run']>;
  }

  /**
   * Does the command's work and returns the result. Messages for people go to stderr through `info`, `warn`
   * and `progress`.
   */
  abstract override run(): Promise<Outcome>;

  /** Parses the command line into `args` and `flags`. On a terminal, asks for missing arguments. */
  override async init(): Promise<void> {
    try {
      await this.#parseLeniently();
    } catch (error) {
      throw translateParseError(error, this.#signature());
    }
    if (!this.canPrompt) return;
    const args: Readonly<Record<string, unknown>> = this.args;
    this.#missingArgs = this.#requiredArgs().filter(({ name }) => args[name] === undefined);
    if (this.#missingArgs.length === 0) return;
    const options = { answers: this.#answers, isQuiet: true };
    await runWizard(this.terminal, (wizard) => this.#askForArguments(wizard), options);
  }

  #requiredArgs(): readonly ArgumentQuestion[] {
    const { completion } = this.ctor as unknown as Pick<typeof BaseCommand, 'completion'>;
    return Object.entries(this.ctor.args)
      .filter(([name, { required }]) => required === true || name === 'document')
      .map(([name, { description = name, multiple = false }]) => ({
        name,
        description: description.replace(/\.$/, ''),
        isMultiple: multiple,
        kind: completion[name] ?? (name === 'document' ? 'document' : undefined),
      }));
  }

  /** Parses the command line. Required arguments may be missing if a prompt can ask for them. */
  async #parseLeniently(): Promise<void> {
    try {
      await this.#parse({});
    } catch (error) {
      if (!isMissingArgument(error) || !isInteractive(this.terminal)) throw error;
      await this.#parse({ required: false });
      if (!this.canPrompt) throw error;
    }
  }

  /** @param overrides the differences from the declaration of each argument */
  async #parse(overrides: { readonly required?: false }): Promise<void> {
    const { args, flags, baseFlags, strict } = this.ctor;
    // oclif fills missing arguments from piped input, which would consume the input that `-` reads.
    const withoutStdin: ArgInput = Object.fromEntries(
      Object.entries(args).map(([name, arg]) => [name, { ...arg, ignoreStdin: true, ...overrides }]),
    );
    const variadic = prepareVariadicArgs(withoutStdin);
    const input = { args: variadic.args, flags, baseFlags, strict: strict && !variadic.isVariadic };
    const output = variadic.collectRest(await this.parse(input));
    this.args = output.args as CommandArgs<T>;
    this.flags = output.flags as CommandFlags<T>;
  }

  async #askForArguments({ prompter }: Wizard): Promise<void> {
    if (this.#missingArgs.length === 0) return;
    const { askForArgument } = await import('./prompts/argument-questions.js');
    for (const question of this.#missingArgs) {
      const { name } = question;
      const source = { cwd: this.terminal.cwd, args: this.args, flags: this.flags };
      const validate = (text: string): Validity | Promise<Validity> => this.checkArgument(name, text);
      const answer = await askForArgument(prompter, question, { ...source, validate });
      this.args = { ...this.args, [name]: answer };
    }
  }

  /** Checks an argument that is typed at a prompt, such as a new name. */
  protected checkArgument(_name: string, _text: string): Validity | Promise<Validity> {
    return true;
  }

  /**
   * Runs a wizard, in which Escape also goes back to the questions for missing arguments. The flow gets null
   * if prompts are not allowed. It must read `args` itself, since they may change.
   */
  protected ask<R>(flow: (wizard: Wizard | null) => Promise<R>): Promise<R> {
    if (!this.canPrompt) return flow(null);
    const withArguments = async (wizard: Wizard): Promise<R> => {
      await this.#askForArguments(wizard);
      return flow(wizard);
    };
    return runWizard(this.terminal, withArguments, { answers: this.#answers });
  }

  protected get terminal(): Terminal {
    if (this.config instanceof CliConfig) return this.config.terminal;
    throw new TypeError('Commands need a CliConfig, which carries the terminal.');
  }

  /** True if stdin and stderr are terminals, and neither `--yes` nor `CI` is set. */
  protected get canPrompt(): boolean {
    return this.flags['yes'] !== true && isInteractive(this.terminal);
  }

  /** Asks questions. Null if prompts are not allowed. */
  protected get prompter(): Prompter | null {
    return this.canPrompt ? createPrompter(this.terminal) : null;
  }

  /** The style for text that is printed to stdout. */
  protected get style(): Style {
    return this.styleOn(this.terminal.stdout);
  }

  /**
   * The folder of the project that the working directory belongs to.
   *
   * @throws `cli/project-not-found`
   */
  protected get projectRoot(): string {
    const folder = this.terminal.cwd;
    const root = findProjectRoot(folder);
    if (root === undefined) throw createError('cli/project-not-found', { folder });
    return root;
  }

  /** Spells the commands in a text as the user can type them here: `npx cms dev`, or `cms dev`. */
  protected spellCommands(text: string): string {
    return spellCommands(text, this.terminal);
  }

  /** The name of the command, such as `content update`. */
  protected get command(): string {
    return this.ctor.id.replaceAll(':', ' ');
  }

  /** The functions that print messages other than results, and the name of the command. */
  protected get messages(): {
    readonly info: (message: string) => void;
    readonly warn: (message: string) => void;
    readonly command: string;
  } {
    return {
      info: (message) => this.info(message),
      warn: (message) => void this.warn(message),
      command: this.command,
    };
  }

  /** Prints a sentence, wrapped between words, or lines that keep their layout. */
  protected info(message: string): void {
    const { stderr } = this.terminal;
    const text = this.spellCommands(message);
    writeText(stderr, text.includes('\n') ? text : wrapMessage(stderr, text));
  }

  override warn(input: Error | string): Error | string {
    const message = typeof input === 'string' ? input : input.message;
    const label = this.styleOn(this.terminal.stderr).yellow('Warning:');
    const { stderr } = this.terminal;
    writeText(stderr, wrapMessage(stderr, `${label} ${this.spellCommands(message)}`));
    return input;
  }

  /** Shows progress on stderr, and the duration at the end. */
  protected progress<R>(label: string, work: (progress: Progress) => Promise<R>): Promise<R> {
    return withProgress(this.terminal.stderr, this.styleOn(this.terminal.stderr), label, (progress) =>
      work({ ...progress, log: (line) => progress.log(this.spellCommands(line)) }),
    );
  }

  /**
   * Returns the given value of a flag or argument. Otherwise asks for it, or returns the fallback if prompts
   * are not allowed. An argument is named in angle brackets: `<dir>`.
   *
   * @throws `cli/missing-value` without a value, a terminal and a fallback
   */
  protected promptIfMissing<V>(
    name: string,
    value: V | undefined,
    question: Question<V>,
    fallback?: V,
  ): Promise<V> {
    const source = { name, value, question, ...(fallback === undefined ? {} : { fallback }) };
    return promptIfMissing(this.prompter, source);
  }

  /**
   * Returns a secret declared with `secretFlags(name)`: from the flag, standard input, a file or a masked
   * question.
   */
  protected secret(name: string, message: string, validate?: Validate): Promise<string> {
    return readSecret(this.terminal, this.prompter, { name, message, validate, flags: this.flags });
  }

  /** Asks for confirmation of a routine step. Does not ask if `--yes` is given. */
  protected confirm(question: string): Promise<void> {
    return assertConfirmed(this.terminal, question, this.flags['yes'] === true, this.canPrompt);
  }

  /**
   * Prints the data that would be lost, and stops with exit code 3 unless the user accepts the loss. The
   * command declares `acceptDataLossFlag`.
   */
  protected confirmDataLoss(losses: readonly DataLoss[]): Promise<void> {
    const accepted: unknown = this.flags['accept-data-loss'];
    const options = { canPrompt: this.canPrompt, style: this.styleOn(this.terminal.stderr) };
    return assertDataLossConfirmed(this.terminal, losses, accepted === true, options);
  }

  /**
   * Prints the impact of a migration and stops with exit code 3 unless the user accepts losses and invalid
   * values. The command declares `acceptDataLossFlag` and `acceptInvalidFlag`.
   */
  protected confirmImpact(impact: readonly DataImpact[]): Promise<AcceptedImpact> {
    const accepted = {
      acceptsDataLoss: this.flags['accept-data-loss'] === true,
      acceptsInvalid: this.flags['accept-invalid'] === true,
    };
    const options = { canPrompt: this.canPrompt, style: this.styleOn(this.terminal.stderr) };
    return confirmImpact(this.terminal, impact, accepted, options);
  }

  #signature(): Parameters<typeof translateParseError>[1] {
    const { args, flags, baseFlags, id } = this.ctor;
    return {
      id,
      flagNames: Object.keys({ ...baseFlags, ...flags }),
      args: Object.entries(args).map(([name, arg]) => ({
        name,
        required: arg.required === true,
        multiple: arg.multiple === true,
      })),
    };
  }

  protected styleOn(stream: OutputStream): Style {
    const isColorDisabled = this.flags['no-color'] === true;
    const width = stream.isTTY === true ? stream.columns : undefined;
    return styleFor(!isColorDisabled && wantsColor(this.terminal, stream), width);
  }
}
