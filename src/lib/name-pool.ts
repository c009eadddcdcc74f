/** Allocates names that are unique within the pool: the preferred one, or another derived from it. */
export interface NamePool {
  readonly allocate: (preferred: string) => string;
  /** Excludes names from the pool. */
  readonly reserve: (names: Iterable<string>) => void;
}

export interface NamePoolRules {
  /** Maps names that count as equal to one name, such as lower and upper case in some databases. */
  readonly fold?: (name: string) => string;
  /** The next name to try where `name` is taken. `name2`, `name3` … by default. */
  readonly nextCandidate?: (name: string, preferred: string) => string;
}

const nextNumbered = (name: string, preferred: string): string =>
  `${preferred}${name === preferred ? 2 : Number(name.slice(preferred.length)) + 1}`;

export function createNamePool({
  fold = (name) => name,
  nextCandidate = nextNumbered,
}: NamePoolRules = {}): NamePool {
  const used = new Set<string>();
  const allocate = (preferred: string): string => {
    let name = preferred;
    while (used.has(fold(name))) name = nextCandidate(name, preferred);
    used.add(fold(name));
    return name;
  };
  return {
    allocate,
    reserve: (names) => {
      for (const name of names) used.add(fold(name));
    },
  };
}
