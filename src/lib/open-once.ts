/** Something that is opened when it is first asked for. */
export interface OpenedOnce<T> {
  /** Opens it. If that fails, the next call tries again. */
  readonly open: () => Promise<T>;
  /** Returns it where anybody has asked for it, without opening it. */
  readonly opened: () => Promise<T> | undefined;
}

export function openOnce<T>(open: () => Promise<T>): OpenedOnce<T> {
  let opening: Promise<T> | undefined;
  return {
    open: () => {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    opened: () => opening,
  };
}
