import { upperFirst } from './casing.js';

/** Letters that are not a Latin one with accents on it, as they are spelled where there are only Latin ones. */
const SPELLED: ReadonlyMap<string, string> = new Map(Object.entries({
  ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i',
  а: 'a', б: 'b', в: 'v', г: 'g', ґ: 'g', д: 'd', е: 'e', ё: 'yo', є: 'ye', ж: 'zh', з: 'z', и: 'i', і: 'i', ї: 'yi', й: 'y', к: 'k', л: 'l', м: 'm', н: 'n', о: 'o', п: 'p',
  р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'h', ц: 'c', ч: 'ch', ш: 'sh', щ: 'sh', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya',
  α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n', ξ: 'ks', ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'x', ψ: 'ps', ω: 'o',
}));

const spell = (letter: string): string => {
  const lower = letter.toLowerCase();
  const spelled = SPELLED.get(lower);
  if (spelled === undefined) return letter;
  return lower === letter ? spelled : upperFirst(spelled);
};

/** Text without accents, in Latin letters as far as that is known: `Größe` → `Groesse`, `Élan` → `Elan`. Other scripts stay as they are. */
export function toLatin(text: string): string {
  return Array.from(text.normalize('NFC'), spell).join('').normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/\p{L}/gu, spell);
}
