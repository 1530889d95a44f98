/** `npm run build`: one small bundle and one zip per function, and a table of their sizes. */
import { buildFunctions } from './build/functions.ts';
import { sizeTable } from './build/size-table.ts';

process.stdout.write(`${sizeTable(await buildFunctions())}\n`);
