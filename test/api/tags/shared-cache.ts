import type { PublicResponse, TaggedSite } from './tagged-site.js';

/** The write that made a cached response stale is one of these. */
interface Announcement {
  readonly write: string;
  readonly tags: ReadonlySet<string>;
}

/**
 * A cache of public responses that drops those with an announced tag, and requests them again. It counts the
 * dropped responses and those that had changed.
 */
export class SharedCache {
  changed = 0;
  purged = 0;
  readonly #read: TaggedSite['read'];
  readonly #responses = new Map<string, PublicResponse>();
  /** Those since all responses were compared. */
  #announcements: Announcement[] = [];

  constructor(read: TaggedSite['read']) {
    this.#read = read;
  }

  /** Requests and stores the responses of addresses. */
  async store(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.#responses.set(path, await this.#read(path));
  }

  /** Drops the responses with a tag, and requests them again, as well as those that no cache stores. */
  async purge(write: string, tags: ReadonlySet<string>): Promise<void> {
    this.#announcements.push({ write, tags });
    for (const [path, before] of this.#responses) {
      const isPurged = before.tags?.some((tag) => tags.has(tag)) === true;
      if (before.tags !== null && !isPurged) continue;
      const after = await this.#read(path);
      this.#responses.set(path, after);
      if (!isPurged) continue;
      this.purged += 1;
      if (after.text !== before.text) this.changed += 1;
    }
  }

  /**
   * Compares all stored responses with new ones.
   *
   * @throws if one has changed that no write has announced
   */
  async compareAll(): Promise<void> {
    for (const [path, { text, tags }] of this.#responses) {
      const after = tags === null ? null : await this.#read(path);
      if (after === null || after.text === text) continue;
      const announced = this.#announcements.map(
        ({ write, tags: all }) => `${write}\n  ${[...all].join(' ')}`,
      );
      throw new Error(
        [
          `No write announced that ${decodeURIComponent(path)} changed (TAGS_INTERVAL=1 finds the write).`,
          `It has the tags ${tags?.join(' ') ?? ''}`,
          text,
          `→ ${after.text}`,
          ...announced,
        ].join('\n'),
      );
    }
    this.#announcements = [];
  }
}
