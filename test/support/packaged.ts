import { ensurePackaged } from '../../scripts/build/ensure-packaged.ts';

/** Before all tests: scenarios run on the wiring of the template that `npm run package` makes. */
export const setup = (): Promise<void> => ensurePackaged({ bundles: 'any' });
