/** `npm run openapi`: writes docs/openapi.json from the routes of shared/scale-api. A test fails if they differ. */
import { writeFile } from 'node:fs/promises';
import { openApiText } from './openapi/document.ts';

await writeFile('docs/openapi.json', openApiText());
