/** The words and signs of a label selector, one after the other. */
export interface Tokens {
  /** The next one; empty at the end. */
  peek(): string;
  take(): string;
  isAtEnd(): boolean;
  isIdentifier(): boolean;
}

const signs = /^[=!(),<>]/;

export function createTokens(text: string): Tokens {
  const tokens = text.match(/==|!=|[=!(),<>]|[^=!(),<>\s]+/g) ?? [];
  let at = 0;
  const peek = (): string => tokens[at] ?? '';
  return {
    peek,
    take: () => {
      const token = peek();
      at += 1;
      return token;
    },
    isAtEnd: () => at >= tokens.length,
    isIdentifier: () => peek() !== '' && !signs.test(peek()),
  };
}
