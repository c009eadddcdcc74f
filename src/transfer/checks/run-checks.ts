import { createError } from '../../errors/catalogue.js';
import { withSuggestion } from '../../lib/nearest.js';
import type { CheckLevel } from '../../config/settings.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { mediaKindOf } from '../../model/model.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import type { ContentLocale, ContentStore } from '../store/content-store.js';
import { findUnused, readAllFiles } from '../store/media-store.js';
import type { MediaStore, MediaFile } from '../store/media-store.js';
import { readModel, readDocuments } from '../store/read-documents.js';
import type { StoredDocument } from '../store/read-documents.js';
import { RULES, examinedVersions, problemOf } from './check.js';
import type { ContentCheck, ContentFinding, Problem, RuleName } from './check.js';
import { createLinkRules } from './check-links.js';
import type { SiteAddresses } from './check-links.js';
import { checkLocales } from './check-locales.js';
import { checkSlugs, createValueRules } from './check-values.js';

const fileProblem = (
  { documentId }: MediaFile,
  problem: Pick<Problem, 'rule' | 'path' | 'message'>,
): Problem => ({
  type: FILE_UID,
  documentId,
  locale: null,
  status: null,
  ...problem,
});

const lacksAltText = ({ mime, alternativeText }: MediaFile): boolean =>
  mediaKindOf(mime) === 'images' && (typeof alternativeText !== 'string' || alternativeText.trim() === '');

/** Finds the uploaded images without an alternative text, in batches. */
async function* checkAltTexts(media: MediaStore): AsyncGenerator<readonly Problem[]> {
  for await (const files of readAllFiles(media))
    yield files.filter(lacksAltText).map((file) =>
      fileProblem(file, {
        rule: 'missing-alt-text',
        path: 'alternativeText',
        message: `The image ${file.name} has no alternative text.`,
      }),
    );
}

/** Finds the uploaded files to which no version of a document refers. */
async function checkUnusedFiles(media: MediaStore): Promise<readonly Problem[]> {
  return (await findUnused(media, new Date())).map((file) =>
    fileProblem(file, { rule: 'unused-file', path: '', message: `No document uses the file ${file.name}.` }),
  );
}

/** The content to check, and the rules. */
interface CheckSite {
  readonly content: ContentStore;
  readonly media: MediaStore;
  readonly addresses: SiteAddresses;
  /** The levels of rules by name; others have their default levels. */
  readonly levels: Readonly<Record<string, CheckLevel>>;
  /** The rules of the project. */
  readonly checks: readonly ContentCheck[];
}

export interface CheckOptions {
  /** The content-types to check. `plugin::upload.file` stands for the media library. */
  readonly types: readonly ContentType[];
  /** Reports problems of this locale only. Default: all. */
  readonly locale?: string | undefined;
  /** The versions to check of types with drafts. Default: both. */
  readonly statuses?: readonly VersionStatus[];
  /** The maximum number of findings to return for each rule. All are counted. */
  readonly maxFindings: number;
  /** Called after each page with the number of documents so far. */
  readonly onProgress?: (documents: number) => void;
}

export interface CheckReport {
  readonly findings: readonly ContentFinding[];
  /** The number of problems by rule, those that `findings` omits included. */
  readonly counts: Readonly<Record<string, number>>;
  readonly errors: number;
  readonly warnings: number;
  /** The number of checked documents. */
  readonly documents: number;
}

/** Returns the level of each rule. @throws `config/invalid` for levels of unknown rules */
function levelsOf({ levels, checks }: Pick<CheckSite, 'levels' | 'checks'>): ReadonlyMap<string, CheckLevel> {
  const defaults = new Map<string, CheckLevel>([
    ...Object.entries(RULES).map(([name, { level }]) => [name, level] as const),
    ...checks.map(({ name, level = 'error' }) => [name, level] as const),
  ]);
  for (const name of Object.keys(levels))
    if (!defaults.has(name))
      throw createError('config/invalid', {
        file: 'cms.config',
        summary: withSuggestion(`content.checks.${name} is not a rule`, name, defaults.keys()),
      });
  return new Map([...defaults, ...Object.entries(levels)]);
}

/** Finds problems on a page of documents of one type. */
type PageRule = (page: readonly StoredDocument[]) => Promise<readonly Problem[]> | readonly Problem[];

/** Returns the rule of a project as a rule of pages. */
const pageRuleOf =
  ({ name, types, check }: ContentCheck): PageRule =>
  async (page) => {
    const problems: Problem[] = [];
    for (const document of page) {
      const { type, documentId } = document;
      if (types !== undefined && !types.includes(type.uid)) continue;
      for (const version of examinedVersions(document)) {
        const { locale, status, data } = version;
        for (const { path = '', message } of await check(data, {
          type: type.uid,
          documentId,
          locale,
          status,
        }))
          problems.push(problemOf(document, version, { rule: name, path, message }));
      }
    }
    return problems;
  };

/** Returns the rules of pages that are switched on. */
const createPageRules = (
  { content, media, addresses, checks }: CheckSite,
  locales: readonly ContentLocale[],
  isOn: (...names: readonly string[]) => boolean,
): readonly PageRule[] => {
  const isBuiltInOn = (...names: readonly RuleName[]): boolean => isOn(...names);
  return [
    ...(isBuiltInOn('required-value', 'invalid-value') ? [createValueRules(readModel(content))] : []),
    ...(isBuiltInOn('dead-link', 'missing-alt-text')
      ? [createLinkRules({ content, media }, addresses, locales)]
      : []),
    ...(isBuiltInOn('missing-translation', 'outdated-translation')
      ? [(page: readonly StoredDocument[]) => checkLocales(page, locales)]
      : []),
    ...(isBuiltInOn('slug-collision')
      ? [(page: readonly StoredDocument[]) => checkSlugs(content, page, locales)]
      : []),
    ...checks.filter(({ name }) => isOn(name)).map(pageRuleOf),
  ];
};

/** Removes problems of drafts that the published version has, too. */
const withoutRepeated = (problems: readonly Problem[]): readonly Problem[] => {
  const problemKeyOf = ({ rule, documentId, locale, path, message }: Problem): string =>
    JSON.stringify([rule, documentId, locale, path, message]);
  const published = new Set(problems.filter(({ status }) => status === 'published').map(problemKeyOf));
  return problems.filter((problem) => problem.status !== 'draft' || !published.has(problemKeyOf(problem)));
};

/** Finds the problems of a site, some at a time. */
async function* findProblems(
  site: CheckSite,
  { types, statuses, onProgress }: CheckOptions,
  isOn: (...names: readonly string[]) => boolean,
): AsyncGenerator<readonly Problem[], number> {
  const rules = createPageRules(site, await site.content.locales(), isOn);
  let documents = 0;
  for (const type of types.filter(({ uid }) => uid !== FILE_UID))
    for await (const page of readDocuments(site.content, type, statuses === undefined ? {} : { statuses })) {
      const problems: Problem[] = [];
      for (const rule of rules) problems.push(...(await rule(page)));
      yield withoutRepeated(problems);
      documents += page.length;
      onProgress?.(documents);
    }
  if (types.some(({ uid }) => uid === FILE_UID)) {
    if (isOn('missing-alt-text')) yield* checkAltTexts(site.media);
    if (isOn('unused-file')) yield await checkUnusedFiles(site.media);
  }
  return documents;
}

/**
 * Checks the content of a site by the built-in rules and those of the project. Reads it in pages.
 *
 * @throws `config/invalid` for levels of unknown rules and addresses of unknown types, and the errors of
 *   checks of the project
 */
export async function runChecks(site: CheckSite, options: CheckOptions): Promise<CheckReport> {
  const levels = levelsOf(site);
  const isOn = (...names: readonly string[]): boolean => names.some((name) => levels.get(name) !== 'off');
  const findings: ContentFinding[] = [];
  const counts = new Map<string, number>();
  const totals = { error: 0, warning: 0 };
  const add = (problem: Problem): void => {
    const level = levels.get(problem.rule) ?? 'off';
    const isOfLocale =
      options.locale === undefined || problem.locale === null || problem.locale === options.locale;
    if (level === 'off' || !isOfLocale) return;
    const count = (counts.get(problem.rule) ?? 0) + 1;
    counts.set(problem.rule, count);
    totals[level] += 1;
    if (count <= options.maxFindings) findings.push({ level, ...problem });
  };
  const problems = findProblems(site, options, isOn);
  for (;;) {
    const { done, value } = await problems.next();
    if (done === true)
      return {
        findings,
        counts: Object.fromEntries(counts),
        errors: totals.error,
        warnings: totals.warning,
        documents: value,
      };
    for (const problem of value) add(problem);
  }
}
