import { Document, Scalar, visit } from 'yaml';
import { escaped, hasControls } from '../json-text.ts';

/** Data as YAML. It keeps what a server said, with every control escaped, as the JSON does. */
export function yamlText(data: unknown): string {
  // Through JSON, so that both have the same fields: none that is undefined.
  const document = new Document(JSON.parse(JSON.stringify(data)), { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, scalar) => {
      // Escapes exist only in double quotes.
      if (typeof scalar.value === 'string' && hasControls(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return escaped(document.toString({ lineWidth: 0 }));
}
