/**
 * `npm run openapi`: writes docs/openapi.json from the routes of shared/scale-api, and docs/drover.schema.json from the schema of the files of
 * `drover apply`. A test fails if they differ.
 */
import { writeFile } from 'node:fs/promises';
import { applySchemaText } from './openapi/apply-schema.ts';
import { openApiText } from './openapi/document.ts';

await writeFile('docs/openapi.json', openApiText());
await writeFile('docs/drover.schema.json', applySchemaText());
