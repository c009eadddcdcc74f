/** Hands out names that are unique among those it gave: the wished one, or another made from it. */
export interface NamePool {
  readonly take: (wished: string) => string;
  /** Keeps names out of the pool. */
  readonly reserve: (names: Iterable<string>) => void;
}

export interface NamePoolRules {
  /** Names that count as one, as lower and upper case do to some databases. */
  readonly fold?: (name: string) => string;
  /** The next name to try where `name` is taken. */
  readonly other: (name: string, wished: string) => string;
}

export function createNamePool({ fold = (name) => name, other }: NamePoolRules): NamePool {
  const used = new Set<string>();
  const take = (wished: string): string => {
    let name = wished;
    while (used.has(fold(name))) name = other(name, wished);
    used.add(fold(name));
    return name;
  };
  return {
    take,
    reserve: (names) => {
      for (const name of names) used.add(fold(name));
    },
  };
}
