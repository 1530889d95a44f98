import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type AnySchemaObject } from 'ajv';
import formats from 'ajv-formats';

/** The schemas that the CycloneDX project ships with its own library. */
const folder = join('node_modules', '@cyclonedx', 'cyclonedx-library', 'res', 'schema');

const schema = (name: string): AnySchemaObject =>
  JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), 'utf8')) as AnySchemaObject;

/** The differences of a document from the public schema of CycloneDX 1.6, which refuses unknown fields. */
export function cycloneDxProblems(document: unknown): readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  // ajv-formats lacks the two formats of internationalized names, which no document of ours has.
  for (const name of ['iri-reference', 'idn-email']) ajv.addFormat(name, true);
  // The library names its files so in the references between them.
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(schema('bom-1.6'));
  const isValid = validate(document);
  if (isValid === true) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
