const constantPattern = /^const (_\w+) = ("(?:[^"\\]|\\.)*");$/gm;
const computedKeyPattern = /(?<=[{,]\s*)\[(_\w+)\]:/g;

/**
 * Writes the computed keys of an AWS SDK schema file (`{ [_xN]: ... }`) as the literals that they stand for. A bundler must
 * keep an object whose computed key is a variable, for evaluating the key may have side effects; with literals the schemas
 * of the operations that nobody calls fall away. A key that is no string constant of the same file is left as it is.
 */
export function inlineSchemaKeys(source: string): string {
  const constants = new Map(Array.from(source.matchAll(constantPattern), ([, name, value]) => [name, value]));
  return source.replaceAll(computedKeyPattern, (whole, name: string) => {
    const value = constants.get(name);
    return value === undefined ? whole : `${value}:`;
  });
}
