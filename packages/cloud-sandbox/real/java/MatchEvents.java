import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import software.amazon.event.ruler.Machine;

/**
 * Asks AWS's own engine of event patterns. A line in is {"pattern": TEXT, "events": [TEXT, ...]}; a line out is
 * {"matches": [BOOLEAN, ...]}, or {"refused": WHY} where the engine does not take the pattern.
 */
public final class MatchEvents {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] arguments) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine())
      answers.println(JSON.writeValueAsString(answer(JSON.readTree(line))));
  }

  private static ObjectNode answer(JsonNode question) throws Exception {
    var machine = new Machine();
    try {
      machine.addRule("asked", question.get("pattern").asText());
    } catch (Exception refusal) {
      return JSON.createObjectNode().put("refused", String.valueOf(refusal.getMessage()));
    }
    var matches = JSON.createArrayNode();
    for (JsonNode event : question.get("events"))
      matches.add(!machine.rulesForJSONEvent(event.asText()).isEmpty());
    return JSON.createObjectNode().set("matches", matches);
  }
}
