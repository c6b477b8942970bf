import LocalServer
import DemoServer
import Testing

@Suite struct ShopTests {
  let server: HTTPServer
  let api: String

  init() throws {
    server = try DemoAPI.start()
    api = "\(server.address)/api"
  }

  @Test("products are listed page by page, each with the cursor of the next") func pages() async throws {
    var cursor: String? = ""
    var pages: [String] = []
    while let next = cursor, pages.count < 10 {
      let page = try await send("GET", "\(api)/products" + (next.isEmpty ? "" : "?cursor=\(next)"))
      #expect(page.status == 200)
      pages.append(page.value("items.0.sku") ?? "")
      cursor = page.value("next").flatMap { $0 == "null" ? nil : $0 }
    }
    #expect(pages == ["C-1", "R-1", "L-2"])
    #expect(try await send("GET", "\(api)/products?category=lights&cursor=C-1").status == 400)
    #expect(try await send("GET", "\(api)/products?limit=0").status == 400)
    #expect(try await send("GET", "\(api)/products/R-2").value("price") == "4.75")
    #expect(try await send("GET", "\(api)/products/X-1").status == 404)
  }

  @Test("an order is received, packed and shipped") func order() async throws {
    let login = try await send("POST", "\(api)/login", json: #"{"username":"ann","password":"secret-password"}"#)
    let token = [("Authorization", "Bearer \(login.value("access_token") ?? "")")]
    let order = #"{"customer":"Freja","items":[{"sku":"C-1","quantity":2},{"sku":"R-2","quantity":1}]}"#
    #expect(try await send("POST", "\(api)/orders", json: order).status == 401)
    let created = try await send("POST", "\(api)/orders", headers: token, json: order)
    #expect(created.status == 201)
    #expect(created.value("total") == "25.75")
    let location = server.address + (created.header("Location") ?? "")
    var states: [String?] = []
    for _ in 0..<4 { states.append(try await send("GET", location, headers: token).value("state")) }
    #expect(states == ["received", "packed", "shipped", "shipped"])
    #expect(try await send("DELETE", location, headers: token).status == 204)
    #expect(try await send("GET", location, headers: token).status == 404)
  }

  @Test(
    "an order that can't be delivered is a problem",
    arguments: [
      "[]", "{}", #"{"customer":"F"}"#, #"{"customer":"F","items":[]}"#,
      #"{"customer":"F","items":[{"sku":"X","quantity":1}]}"#,
      #"{"customer":"F","items":[{"sku":"C-1","quantity":0}]}"#,
      #"{"customer":"F","items":[{"sku":"C-1","quantity":99999999999999999999}]}"#,
      #"{"customer":"F","items":[{"sku":"C-1","quantity":1.5}]}"#,
    ])
  func invalid(_ body: String) async throws {
    let login = try await send("POST", "\(api)/login", json: #"{"username":"ann","password":"secret-password"}"#)
    let token = [("Authorization", "Bearer \(login.value("access_token") ?? "")")]
    #expect(try await send("POST", "\(api)/orders", headers: token, json: body).status == 422)
  }
}
