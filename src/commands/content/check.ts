import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { openContentProject } from '../../cli/project/command-target.js';
import { allVersionFlags } from '../../cli/content/find-params.js';
import { FINDING_FORMATS, printFindings, summarize } from '../../cli/content/print-findings.js';
import { readMedia } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { countNoun } from '../../lib/text.js';
import { checkContent, checkedTypes } from '../../project/check-content.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

export default class ContentCheck extends BaseCommand<typeof ContentCheck> {
  static override summary = 'Check content for invalid values, dead links and missing translations.';
  static override description =
    'Also finds images without alternative text, equal slugs in several locales, and unused files. ' +
    'content.checks in cms.config sets the level of each rule; src/checks adds rules. The exit code is 1 ' +
    'if there are errors.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --type article --format json',
    '<%= config.bin %> <%= command.id %> --format github --max-warnings 0',
  ];
  static override flags = {
    type: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description:
        'Content-type to check; plugin::upload.file is the media library. May be repeated. ' +
        '[default: all of the project and the media library]',
    }),
    ...allVersionFlags,
    format: Flags.option({
      options: FINDING_FORMATS,
      default: 'text' as const,
      description: 'Format of the findings: text, json, annotations of GitHub Actions, or SARIF.',
    })(),
    limit: Flags.integer({
      min: 0,
      default: 1000,
      description: 'Maximum number of findings to print for each rule. All are counted.',
    }),
    'max-warnings': Flags.integer({
      min: 0,
      description: 'Exit with code 1 if there are more warnings.',
    }),
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const types =
      flags.type === undefined
        ? checkedTypes(project)
        : flags.type.map((name) => resolveType(project.model.types, name));
    const report = await this.progress('Checking', (progress) =>
      readMedia(project, (stores) =>
        checkContent(project, stores, {
          types,
          locale: flags.locale,
          ...(flags.status === undefined ? {} : { statuses: [flags.status] }),
          maxFindings: flags.limit,
          onProgress: (count) => progress.update(countNoun(count, 'document')),
        }),
      ),
    );
    const files = new Map(project.definitions.types.map(({ uid, file }) => [uid, file]));
    const printed = { report, fileOf: (uid: string) => files.get(uid) ?? null, style: this.style };
    if (flags.format !== 'text') this.info(summarize(report));
    const isFailed = report.errors > 0 || report.warnings > (flags['max-warnings'] ?? report.warnings);
    return { json: report, text: printFindings(flags.format, printed), exitCode: isFailed ? 1 : 0 };
  }
}
