import { autoScalingArea } from '../support/account-areas.ts';
import { recordEvents } from '../support/record-events.ts';

recordEvents();
autoScalingArea.register();
